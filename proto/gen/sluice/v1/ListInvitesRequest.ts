// From proto/sluice/v1/invites.proto


export interface ListInvitesRequest {
  'parent_lookup_organization_id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListInvitesRequest__Output {
  'parent_lookup_organization_id': (string);
  'limit': (number);
  'offset': (number);
}
