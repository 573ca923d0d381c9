// From proto/sluice/v1/activity.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface ActivityChange {
  'field'?: (string);
  'action'?: (string);
  'before'?: (_google_protobuf_Value | null);
  'after'?: (_google_protobuf_Value | null);
}

export interface ActivityChange__Output {
  'field': (string);
  'action': (string);
  'before': (_google_protobuf_Value__Output | null);
  'after': (_google_protobuf_Value__Output | null);
}
