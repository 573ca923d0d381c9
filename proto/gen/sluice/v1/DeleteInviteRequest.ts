// From proto/sluice/v1/invites.proto


export interface DeleteInviteRequest {
  'parent_lookup_organization_id'?: (string);
  'id'?: (string);
}

export interface DeleteInviteRequest__Output {
  'parent_lookup_organization_id': (string);
  'id': (string);
}
