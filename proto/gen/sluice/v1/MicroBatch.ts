// From proto/sluice/v1/micro_batches.proto

import type { IngestBatchRequest as _sluice_v1_IngestBatchRequest, IngestBatchRequest__Output as _sluice_v1_IngestBatchRequest__Output } from '../../sluice/v1/IngestBatchRequest.ts';
import type { DecideBatchRequest as _sluice_v1_DecideBatchRequest, DecideBatchRequest__Output as _sluice_v1_DecideBatchRequest__Output } from '../../sluice/v1/DecideBatchRequest.ts';
import type { ResolveKeysRequest as _sluice_v1_ResolveKeysRequest, ResolveKeysRequest__Output as _sluice_v1_ResolveKeysRequest__Output } from '../../sluice/v1/ResolveKeysRequest.ts';
import type { ReadCall as _sluice_v1_ReadCall, ReadCall__Output as _sluice_v1_ReadCall__Output } from '../../sluice/v1/ReadCall.ts';

export interface MicroBatch {
  'id'?: (number);
  'timeout_ms'?: (number);
  'ingest'?: (_sluice_v1_IngestBatchRequest | null);
  'decide'?: (_sluice_v1_DecideBatchRequest | null);
  'keys'?: (_sluice_v1_ResolveKeysRequest | null);
  'read'?: (_sluice_v1_ReadCall | null);
  'call'?: "ingest"|"decide"|"keys"|"read";
}

export interface MicroBatch__Output {
  'id': (number);
  'timeout_ms': (number);
  'ingest'?: (_sluice_v1_IngestBatchRequest__Output | null);
  'decide'?: (_sluice_v1_DecideBatchRequest__Output | null);
  'keys'?: (_sluice_v1_ResolveKeysRequest__Output | null);
  'read'?: (_sluice_v1_ReadCall__Output | null);
}
