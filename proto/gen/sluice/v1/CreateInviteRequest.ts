// From proto/sluice/v1/invites.proto


export interface CreateInviteRequest {
  'target_email'?: (string);
  'first_name'?: (string);
  'message'?: (string);
  'parent_lookup_organization_id'?: (string);
  'null_fields'?: (string)[];
  '_target_email'?: "target_email";
  '_first_name'?: "first_name";
  '_message'?: "message";
}

export interface CreateInviteRequest__Output {
  'target_email'?: (string);
  'first_name'?: (string);
  'message'?: (string);
  'parent_lookup_organization_id': (string);
  'null_fields': (string)[];
}
