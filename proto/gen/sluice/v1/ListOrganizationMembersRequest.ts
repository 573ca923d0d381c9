// From proto/sluice/v1/members.proto


export interface ListOrganizationMembersRequest {
  'organization_id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListOrganizationMembersRequest__Output {
  'organization_id': (string);
  'limit': (number);
  'offset': (number);
}
