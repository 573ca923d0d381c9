// From proto/sluice/v1/micro_batches.proto

import type { IngestBatchResponse as _sluice_v1_IngestBatchResponse, IngestBatchResponse__Output as _sluice_v1_IngestBatchResponse__Output } from '../../sluice/v1/IngestBatchResponse.ts';
import type { DecideBatchResponse as _sluice_v1_DecideBatchResponse, DecideBatchResponse__Output as _sluice_v1_DecideBatchResponse__Output } from '../../sluice/v1/DecideBatchResponse.ts';
import type { ResolveKeysResponse as _sluice_v1_ResolveKeysResponse, ResolveKeysResponse__Output as _sluice_v1_ResolveKeysResponse__Output } from '../../sluice/v1/ResolveKeysResponse.ts';
import type { Status as _google_rpc_Status, Status__Output as _google_rpc_Status__Output } from '../../google/rpc/Status.ts';

export interface MicroBatchAnswer {
  'id'?: (number);
  'ingest'?: (_sluice_v1_IngestBatchResponse | null);
  'decide'?: (_sluice_v1_DecideBatchResponse | null);
  'keys'?: (_sluice_v1_ResolveKeysResponse | null);
  'failure'?: (_google_rpc_Status | null);
  'goodbye'?: (boolean);
  'read'?: (Buffer | Uint8Array | string);
  'answer'?: "ingest"|"decide"|"keys"|"failure"|"read";
}

export interface MicroBatchAnswer__Output {
  'id': (number);
  'ingest'?: (_sluice_v1_IngestBatchResponse__Output | null);
  'decide'?: (_sluice_v1_DecideBatchResponse__Output | null);
  'keys'?: (_sluice_v1_ResolveKeysResponse__Output | null);
  'failure'?: (_google_rpc_Status__Output | null);
  'goodbye': (boolean);
  'read'?: (Buffer);
}
