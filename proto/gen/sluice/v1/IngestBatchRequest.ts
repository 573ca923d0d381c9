// From proto/sluice/v1/ingest.proto

import type { IngestGroup as _sluice_v1_IngestGroup, IngestGroup__Output as _sluice_v1_IngestGroup__Output } from '../../sluice/v1/IngestGroup.ts';

export interface IngestBatchRequest {
  'batch_id'?: (string);
  'groups'?: (_sluice_v1_IngestGroup)[];
}

export interface IngestBatchRequest__Output {
  'batch_id': (string);
  'groups': (_sluice_v1_IngestGroup__Output)[];
}
