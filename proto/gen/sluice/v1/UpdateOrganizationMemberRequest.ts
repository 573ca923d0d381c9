// From proto/sluice/v1/members.proto


export interface UpdateOrganizationMemberRequest {
  'level'?: (number);
  'organization_id'?: (string);
  'user'?: (string);
  '_level'?: "level";
}

export interface UpdateOrganizationMemberRequest__Output {
  'level'?: (number);
  'organization_id': (string);
  'user': (string);
}
