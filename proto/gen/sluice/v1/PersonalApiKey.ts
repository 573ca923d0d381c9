// From proto/sluice/v1/personal_api_keys.proto


export interface PersonalApiKey {
  'id'?: (string);
  'label'?: (string);
  'created_at'?: (string);
  'last_used_at'?: (string);
  'user_id'?: (number);
  'scopes'?: (string)[];
  'scoped_teams'?: (number)[];
  'scoped_organizations'?: (string)[];
  'mask_value'?: (string);
  'last_rolled_at'?: (string);
  'value'?: (string);
  'expires_at'?: (string);
  '_last_used_at'?: "last_used_at";
  '_last_rolled_at'?: "last_rolled_at";
  '_value'?: "value";
  '_expires_at'?: "expires_at";
}

export interface PersonalApiKey__Output {
  'id': (string);
  'label': (string);
  'created_at': (string);
  'last_used_at'?: (string);
  'user_id': (number);
  'scopes': (string)[];
  'scoped_teams': (number)[];
  'scoped_organizations': (string)[];
  'mask_value': (string);
  'last_rolled_at'?: (string);
  'value'?: (string);
  'expires_at'?: (string);
}
