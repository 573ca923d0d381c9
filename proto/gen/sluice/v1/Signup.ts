// From proto/sluice/v1/invites.proto


export interface Signup {
  'id'?: (string);
  'target_email'?: (string);
  'first_name'?: (string);
  'organization_name'?: (string);
}

export interface Signup__Output {
  'id': (string);
  'target_email': (string);
  'first_name': (string);
  'organization_name': (string);
}
