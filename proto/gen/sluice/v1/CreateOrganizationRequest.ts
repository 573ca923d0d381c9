// From proto/sluice/v1/organizations.proto


export interface CreateOrganizationRequest {
  'name'?: (string);
  'is_member_join_email_enabled'?: (boolean);
  '_name'?: "name";
  '_is_member_join_email_enabled'?: "is_member_join_email_enabled";
}

export interface CreateOrganizationRequest__Output {
  'name'?: (string);
  'is_member_join_email_enabled'?: (boolean);
}
