// From proto/sluice/v1/ingest.proto

import type { IngestEvent as _sluice_v1_IngestEvent, IngestEvent__Output as _sluice_v1_IngestEvent__Output } from '../../sluice/v1/IngestEvent.ts';

export interface IngestGroup {
  'project_id'?: (number);
  'events'?: (_sluice_v1_IngestEvent)[];
}

export interface IngestGroup__Output {
  'project_id': (number);
  'events': (_sluice_v1_IngestEvent__Output)[];
}
