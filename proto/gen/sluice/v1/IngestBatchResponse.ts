// From proto/sluice/v1/ingest.proto

import type { IngestOutcome as _sluice_v1_IngestOutcome, IngestOutcome__Output as _sluice_v1_IngestOutcome__Output } from '../../sluice/v1/IngestOutcome.ts';

export interface IngestBatchResponse {
  'outcomes'?: (_sluice_v1_IngestOutcome)[];
  'cache_generation'?: (string);
}

export interface IngestBatchResponse__Output {
  'outcomes': (_sluice_v1_IngestOutcome__Output)[];
  'cache_generation': (string);
}
