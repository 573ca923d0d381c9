// From proto/sluice/v1/organizations.proto


export interface UpdateOrganizationRequest {
  'name'?: (string);
  'is_member_join_email_enabled'?: (boolean);
  'id'?: (string);
  '_name'?: "name";
  '_is_member_join_email_enabled'?: "is_member_join_email_enabled";
}

export interface UpdateOrganizationRequest__Output {
  'name'?: (string);
  'is_member_join_email_enabled'?: (boolean);
  'id': (string);
}
