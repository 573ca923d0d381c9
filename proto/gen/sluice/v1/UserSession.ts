// From proto/sluice/v1/login.proto


export interface UserSession {
  'id'?: (string);
  'agent'?: (string);
  'created_at'?: (string);
  'last_seen_at'?: (string);
  'expires_at'?: (string);
  'is_current'?: (boolean);
  'key_id'?: (string);
  '_key_id'?: "key_id";
}

export interface UserSession__Output {
  'id': (string);
  'agent': (string);
  'created_at': (string);
  'last_seen_at': (string);
  'expires_at': (string);
  'is_current': (boolean);
  'key_id'?: (string);
}
