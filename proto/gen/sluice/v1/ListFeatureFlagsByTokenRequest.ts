// From proto/sluice/v1/feature_flags.proto


export interface ListFeatureFlagsByTokenRequest {
  'token'?: (string);
  'limit'?: (number);
  'offset'?: (number);
  '_token'?: "token";
}

export interface ListFeatureFlagsByTokenRequest__Output {
  'token'?: (string);
  'limit': (number);
  'offset': (number);
}
