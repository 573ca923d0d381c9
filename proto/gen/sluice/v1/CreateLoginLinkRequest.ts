// From proto/sluice/v1/admin.proto


export interface CreateLoginLinkRequest {
  'email'?: (string);
  'url'?: (string);
}

export interface CreateLoginLinkRequest__Output {
  'email': (string);
  'url': (string);
}
