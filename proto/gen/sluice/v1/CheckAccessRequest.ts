// From proto/sluice/v1/access.proto


export interface CheckAccessRequest {
  'project_id'?: (string);
  'organization_id'?: (string);
  'token'?: (string);
  '_token'?: "token";
}

export interface CheckAccessRequest__Output {
  'project_id': (string);
  'organization_id': (string);
  'token'?: (string);
}
