// From proto/sluice/v1/admin.proto


export interface ShowInstanceRequest {
  'after'?: (string);
}

export interface ShowInstanceRequest__Output {
  'after': (string);
}
