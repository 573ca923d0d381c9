// From proto/sluice/v1/invites.proto


export interface NewInvite {
  'target_email'?: (string);
  'first_name'?: (string);
  'message'?: (string);
  'null_fields'?: (string)[];
  '_target_email'?: "target_email";
  '_first_name'?: "first_name";
  '_message'?: "message";
}

export interface NewInvite__Output {
  'target_email'?: (string);
  'first_name'?: (string);
  'message'?: (string);
  'null_fields': (string)[];
}
