// From proto/sluice/v1/feature_flags.proto


export interface GetFlagDefinitionsRequest {
  'token'?: (string);
  'send_cohorts'?: (string);
  '_token'?: "token";
  '_send_cohorts'?: "send_cohorts";
}

export interface GetFlagDefinitionsRequest__Output {
  'token'?: (string);
  'send_cohorts'?: (string);
}
