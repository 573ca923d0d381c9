// From proto/sluice/v1/feature_flags.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface GetMyFlagsRequest {
  'project_id'?: (string);
  'groups'?: (_google_protobuf_Value | null);
}

export interface GetMyFlagsRequest__Output {
  'project_id': (string);
  'groups': (_google_protobuf_Value__Output | null);
}
