// From proto/sluice/v1/events.proto

import type { StoredEvent as _sluice_v1_StoredEvent, StoredEvent__Output as _sluice_v1_StoredEvent__Output } from '../../sluice/v1/StoredEvent.ts';
import type { NativeEvents as _sluice_v1_NativeEvents, NativeEvents__Output as _sluice_v1_NativeEvents__Output } from '../../sluice/v1/NativeEvents.ts';
import type { EventTable as _sluice_v1_EventTable, EventTable__Output as _sluice_v1_EventTable__Output } from '../../sluice/v1/EventTable.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListEventsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_StoredEvent)[];
  'pinned_before'?: (string);
  'native'?: (_sluice_v1_NativeEvents | null);
  'table'?: (_sluice_v1_EventTable | null);
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListEventsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_StoredEvent__Output)[];
  'pinned_before': (string);
  'native': (_sluice_v1_NativeEvents__Output | null);
  'table': (_sluice_v1_EventTable__Output | null);
}
