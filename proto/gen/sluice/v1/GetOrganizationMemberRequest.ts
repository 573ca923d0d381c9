// From proto/sluice/v1/members.proto


export interface GetOrganizationMemberRequest {
  'organization_id'?: (string);
  'user'?: (string);
}

export interface GetOrganizationMemberRequest__Output {
  'organization_id': (string);
  'user': (string);
}
