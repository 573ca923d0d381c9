// From proto/sluice/v1/admin.proto


export interface RevokeKeyRequest {
  'key'?: (string);
}

export interface RevokeKeyRequest__Output {
  'key': (string);
}
