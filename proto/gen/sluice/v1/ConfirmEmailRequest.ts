// From proto/sluice/v1/admin.proto


export interface ConfirmEmailRequest {
  'user'?: (string);
  'email'?: (string);
}

export interface ConfirmEmailRequest__Output {
  'user': (string);
  'email': (string);
}
