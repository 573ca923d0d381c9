// From proto/sluice/v1/events.proto

import type { StoredEvent as _sluice_v1_StoredEvent, StoredEvent__Output as _sluice_v1_StoredEvent__Output } from '../../sluice/v1/StoredEvent.ts';

export interface GetEventResponse {
  'event'?: (_sluice_v1_StoredEvent | null);
  'native'?: (string);
}

export interface GetEventResponse__Output {
  'event': (_sluice_v1_StoredEvent__Output | null);
  'native': (string);
}
