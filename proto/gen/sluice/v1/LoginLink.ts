// From proto/sluice/v1/admin.proto


export interface LoginLink {
  'email'?: (string);
  'url'?: (string);
  'expires_at'?: (string);
}

export interface LoginLink__Output {
  'email': (string);
  'url': (string);
  'expires_at': (string);
}
