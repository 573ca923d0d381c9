// From proto/sluice/v1/feature_flags.proto


export interface GetRemoteConfigRequest {
  'project_id'?: (string);
  'key'?: (string);
  'token'?: (string);
  '_token'?: "token";
}

export interface GetRemoteConfigRequest__Output {
  'project_id': (string);
  'key': (string);
  'token'?: (string);
}
