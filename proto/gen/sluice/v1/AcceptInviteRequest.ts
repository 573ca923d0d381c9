// From proto/sluice/v1/invites.proto


export interface AcceptInviteRequest {
  'first_name'?: (string);
  'password'?: (string);
  'email'?: (string);
  'email_opt_in'?: (boolean);
  'invite_id'?: (string);
  '_first_name'?: "first_name";
  '_password'?: "password";
  '_email'?: "email";
  '_email_opt_in'?: "email_opt_in";
}

export interface AcceptInviteRequest__Output {
  'first_name'?: (string);
  'password'?: (string);
  'email'?: (string);
  'email_opt_in'?: (boolean);
  'invite_id': (string);
}
