// From proto/sluice/v1/common.proto


export interface UserSummary {
  'id'?: (number);
  'uuid'?: (string);
  'distinct_id'?: (string);
  'first_name'?: (string);
  'email'?: (string);
}

export interface UserSummary__Output {
  'id': (number);
  'uuid': (string);
  'distinct_id': (string);
  'first_name': (string);
  'email': (string);
}
