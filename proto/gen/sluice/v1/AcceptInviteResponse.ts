// From proto/sluice/v1/invites.proto


export interface AcceptInviteResponse {
  'id'?: (number);
  'uuid'?: (string);
  'distinct_id'?: (string);
  'first_name'?: (string);
  'email'?: (string);
  'organization_id'?: (string);
  'project_id'?: (number);
  'personal_api_key'?: (string);
  '_project_id'?: "project_id";
  '_personal_api_key'?: "personal_api_key";
}

export interface AcceptInviteResponse__Output {
  'id': (number);
  'uuid': (string);
  'distinct_id': (string);
  'first_name': (string);
  'email': (string);
  'organization_id': (string);
  'project_id'?: (number);
  'personal_api_key'?: (string);
}
