// From proto/sluice/v1/decide.proto


export interface DecideQuestion {
  'project_id'?: (number);
  'distinct_id'?: (string);
  'shape'?: (string);
  'anon_distinct_id'?: (string);
  'device_id'?: (string);
  'groups'?: (string);
  'person_properties'?: (string);
  'group_properties'?: (string);
  'has_flag_keys'?: (boolean);
  'flag_keys'?: (string)[];
  'evaluation_runtime'?: (string);
  'evaluation_contexts'?: (string)[];
}

export interface DecideQuestion__Output {
  'project_id': (number);
  'distinct_id': (string);
  'shape': (string);
  'anon_distinct_id': (string);
  'device_id': (string);
  'groups': (string);
  'person_properties': (string);
  'group_properties': (string);
  'has_flag_keys': (boolean);
  'flag_keys': (string)[];
  'evaluation_runtime': (string);
  'evaluation_contexts': (string)[];
}
