// From proto/sluice/v1/admin.proto


export interface UserKey {
  'id'?: (string);
  'label'?: (string);
  'mask_value'?: (string);
  'scopes'?: (string)[];
  'created_at'?: (string);
  'last_used_at'?: (string);
  'expires_at'?: (string);
  '_last_used_at'?: "last_used_at";
  '_expires_at'?: "expires_at";
}

export interface UserKey__Output {
  'id': (string);
  'label': (string);
  'mask_value': (string);
  'scopes': (string)[];
  'created_at': (string);
  'last_used_at'?: (string);
  'expires_at'?: (string);
}
