// From proto/sluice/v1/admin.proto


export interface CreateUserRequest {
  'email'?: (string);
  'first_name'?: (string);
  'organization_id'?: (string);
  'organization_name'?: (string);
  'level'?: (number);
  'personal_api_key'?: (string);
}

export interface CreateUserRequest__Output {
  'email': (string);
  'first_name': (string);
  'organization_id': (string);
  'organization_name': (string);
  'level': (number);
  'personal_api_key': (string);
}
