// From proto/sluice/v1/flag_teams.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface GetFlagReachRequest {
  'condition'?: (_google_protobuf_Value | null);
  'group_type_index'?: (number);
  'project_id'?: (string);
  'null_fields'?: (string)[];
  '_group_type_index'?: "group_type_index";
}

export interface GetFlagReachRequest__Output {
  'condition': (_google_protobuf_Value__Output | null);
  'group_type_index'?: (number);
  'project_id': (string);
  'null_fields': (string)[];
}
