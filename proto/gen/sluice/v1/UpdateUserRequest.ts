// From proto/sluice/v1/users.proto


export interface UpdateUserRequest {
  'is_active'?: (boolean);
  'id'?: (string);
  '_is_active'?: "is_active";
}

export interface UpdateUserRequest__Output {
  'is_active'?: (boolean);
  'id': (string);
}
