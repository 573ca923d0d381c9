// From proto/sluice/v1/invites.proto


export interface GetSignupRequest {
  'invite_id'?: (string);
}

export interface GetSignupRequest__Output {
  'invite_id': (string);
}
