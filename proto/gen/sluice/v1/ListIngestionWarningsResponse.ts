// From proto/sluice/v1/ingestion_warnings.proto

import type { IngestionWarning as _sluice_v1_IngestionWarning, IngestionWarning__Output as _sluice_v1_IngestionWarning__Output } from '../../sluice/v1/IngestionWarning.ts';
import type { DroppedEvents as _sluice_v1_DroppedEvents, DroppedEvents__Output as _sluice_v1_DroppedEvents__Output } from '../../sluice/v1/DroppedEvents.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListIngestionWarningsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_IngestionWarning)[];
  'last_hour'?: (_sluice_v1_DroppedEvents)[];
  'since'?: (string);
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListIngestionWarningsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_IngestionWarning__Output)[];
  'last_hour': (_sluice_v1_DroppedEvents__Output)[];
  'since': (string);
}
