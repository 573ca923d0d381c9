// From proto/sluice/v1/admin.proto


export interface RotateSecretsResponse {
  'key'?: (string);
  'sealed'?: (number);
  'next'?: (number);
}

export interface RotateSecretsResponse__Output {
  'key': (string);
  'sealed': (number);
  'next': (number);
}
