// From proto/sluice/v1/login.proto


export interface LoginRequest {
  'email'?: (string);
  'password'?: (string);
  'personal_api_key'?: (string);
  'login_token'?: (string);
  '_email'?: "email";
  '_password'?: "password";
  '_personal_api_key'?: "personal_api_key";
  '_login_token'?: "login_token";
}

export interface LoginRequest__Output {
  'email'?: (string);
  'password'?: (string);
  'personal_api_key'?: (string);
  'login_token'?: (string);
}
