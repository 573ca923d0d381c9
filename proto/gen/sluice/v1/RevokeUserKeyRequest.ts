// From proto/sluice/v1/users.proto


export interface RevokeUserKeyRequest {
  'id'?: (string);
  'key_id'?: (string);
}

export interface RevokeUserKeyRequest__Output {
  'id': (string);
  'key_id': (string);
}
