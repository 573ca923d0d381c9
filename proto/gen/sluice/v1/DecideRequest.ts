// From proto/sluice/v1/decide.proto

import type { Struct as _google_protobuf_Struct, Struct__Output as _google_protobuf_Struct__Output } from '../../google/protobuf/Struct.ts';

export interface DecideRequest {
  'distinct_id'?: (string);
  'groups'?: (_google_protobuf_Struct | null);
  'person_properties'?: (_google_protobuf_Struct | null);
  'group_properties'?: (_google_protobuf_Struct | null);
  'anon_distinct_id'?: (string);
  'device_id'?: (string);
  'flag_keys'?: (string)[];
  'evaluation_runtime'?: (string);
  'evaluation_contexts'?: (string)[];
}

export interface DecideRequest__Output {
  'distinct_id': (string);
  'groups': (_google_protobuf_Struct__Output | null);
  'person_properties': (_google_protobuf_Struct__Output | null);
  'group_properties': (_google_protobuf_Struct__Output | null);
  'anon_distinct_id': (string);
  'device_id': (string);
  'flag_keys': (string)[];
  'evaluation_runtime': (string);
  'evaluation_contexts': (string)[];
}
