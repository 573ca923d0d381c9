// From proto/sluice/v1/events.proto

import type { EventValue as _sluice_v1_EventValue, EventValue__Output as _sluice_v1_EventValue__Output } from '../../sluice/v1/EventValue.ts';

export interface ListEventValuesResponse {
  'results'?: (_sluice_v1_EventValue)[];
}

export interface ListEventValuesResponse__Output {
  'results': (_sluice_v1_EventValue__Output)[];
}
