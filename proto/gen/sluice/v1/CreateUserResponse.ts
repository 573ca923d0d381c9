// From proto/sluice/v1/admin.proto


export interface CreateUserResponse {
  'user_id'?: (number);
  'user_uuid'?: (string);
  'distinct_id'?: (string);
  'organization_id'?: (string);
  'project_id'?: (number);
  'project_api_key'?: (string);
  'personal_api_key'?: (string);
  '_project_id'?: "project_id";
  '_project_api_key'?: "project_api_key";
}

export interface CreateUserResponse__Output {
  'user_id': (number);
  'user_uuid': (string);
  'distinct_id': (string);
  'organization_id': (string);
  'project_id'?: (number);
  'project_api_key'?: (string);
  'personal_api_key': (string);
}
