// From proto/sluice/v1/users.proto


export interface VerifyEmailResponse {
  'email'?: (string);
}

export interface VerifyEmailResponse__Output {
  'email': (string);
}
