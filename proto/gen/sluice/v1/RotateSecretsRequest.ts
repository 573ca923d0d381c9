// From proto/sluice/v1/admin.proto


export interface RotateSecretsRequest {
  'after'?: (number);
}

export interface RotateSecretsRequest__Output {
  'after': (number);
}
