// From proto/sluice/v1/admin.proto


export interface CreateKeyRequest {
  'user'?: (string);
  'label'?: (string);
  'scopes'?: (string)[];
  'expires_at'?: (string);
}

export interface CreateKeyRequest__Output {
  'user': (string);
  'label': (string);
  'scopes': (string)[];
  'expires_at': (string);
}
