// From proto/sluice/v1/live.proto

import type { LiveEvent as _sluice_v1_LiveEvent, LiveEvent__Output as _sluice_v1_LiveEvent__Output } from '../../sluice/v1/LiveEvent.ts';
import type { Long } from '@grpc/proto-loader';

export interface LiveMessage {
  'kind'?: (string);
  'event'?: (_sluice_v1_LiveEvent | null);
  'dropped'?: (number | string | Long);
  'revision'?: (number | string | Long);
  'reason'?: (string);
  'organization_id'?: (string);
}

export interface LiveMessage__Output {
  'kind': (string);
  'event': (_sluice_v1_LiveEvent__Output | null);
  'dropped': (number);
  'revision': (number);
  'reason': (string);
  'organization_id': (string);
}
