// From proto/sluice/v1/flag_evaluation.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface EvaluateFlagsRequest {
  'flag_id'?: (number);
  'filters'?: (_google_protobuf_Value | null);
  'key'?: (string);
  'ensure_experience_continuity'?: (boolean);
  'bucketing_identifier'?: (string);
  'at'?: (_google_protobuf_Value | null);
  'distinct_id'?: (string);
  'device_id'?: (string);
  'person_properties'?: (_google_protobuf_Value | null);
  'groups'?: (_google_protobuf_Value | null);
  'group_properties'?: (_google_protobuf_Value | null);
  'time'?: (string);
  'project_id'?: (string);
  '_flag_id'?: "flag_id";
  '_key'?: "key";
  '_ensure_experience_continuity'?: "ensure_experience_continuity";
  '_bucketing_identifier'?: "bucketing_identifier";
  '_distinct_id'?: "distinct_id";
  '_device_id'?: "device_id";
  '_time'?: "time";
}

export interface EvaluateFlagsRequest__Output {
  'flag_id'?: (number);
  'filters': (_google_protobuf_Value__Output | null);
  'key'?: (string);
  'ensure_experience_continuity'?: (boolean);
  'bucketing_identifier'?: (string);
  'at': (_google_protobuf_Value__Output | null);
  'distinct_id'?: (string);
  'device_id'?: (string);
  'person_properties': (_google_protobuf_Value__Output | null);
  'groups': (_google_protobuf_Value__Output | null);
  'group_properties': (_google_protobuf_Value__Output | null);
  'time'?: (string);
  'project_id': (string);
}
