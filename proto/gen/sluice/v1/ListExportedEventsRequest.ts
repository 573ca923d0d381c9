// From proto/sluice/v1/events.proto

import type { ListEventsRequest as _sluice_v1_ListEventsRequest, ListEventsRequest__Output as _sluice_v1_ListEventsRequest__Output } from '../../sluice/v1/ListEventsRequest.ts';

export interface ListExportedEventsRequest {
  'project_id'?: (string);
  'query'?: (_sluice_v1_ListEventsRequest | null);
  'columns_only'?: (boolean);
  'cursor'?: (string);
}

export interface ListExportedEventsRequest__Output {
  'project_id': (string);
  'query': (_sluice_v1_ListEventsRequest__Output | null);
  'columns_only': (boolean);
  'cursor': (string);
}
