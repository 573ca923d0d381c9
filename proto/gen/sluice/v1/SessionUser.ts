// From proto/sluice/v1/login.proto


export interface SessionUser {
  'id'?: (number);
  'uuid'?: (string);
  'distinct_id'?: (string);
  'first_name'?: (string);
  'email'?: (string);
  'is_staff'?: (boolean);
  'has_password'?: (boolean);
}

export interface SessionUser__Output {
  'id': (number);
  'uuid': (string);
  'distinct_id': (string);
  'first_name': (string);
  'email': (string);
  'is_staff': (boolean);
  'has_password': (boolean);
}
