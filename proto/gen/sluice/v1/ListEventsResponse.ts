// From proto/sluice/v1/events.proto

import type { StoredEvent as _sluice_v1_StoredEvent, StoredEvent__Output as _sluice_v1_StoredEvent__Output } from '../../sluice/v1/StoredEvent.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListEventsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_StoredEvent)[];
  'pinned_before'?: (string);
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListEventsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_StoredEvent__Output)[];
  'pinned_before': (string);
}
