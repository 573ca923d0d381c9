// From proto/sluice/v1/event_definitions.proto

import type { EventDefinition as _sluice_v1_EventDefinition, EventDefinition__Output as _sluice_v1_EventDefinition__Output } from '../../sluice/v1/EventDefinition.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListEventDefinitionsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_EventDefinition)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListEventDefinitionsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_EventDefinition__Output)[];
}
