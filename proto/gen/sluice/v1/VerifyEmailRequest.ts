// From proto/sluice/v1/users.proto


export interface VerifyEmailRequest {
  'token'?: (string);
  '_token'?: "token";
}

export interface VerifyEmailRequest__Output {
  'token'?: (string);
}
