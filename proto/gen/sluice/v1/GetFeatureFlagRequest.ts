// From proto/sluice/v1/feature_flags.proto


export interface GetFeatureFlagRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface GetFeatureFlagRequest__Output {
  'project_id': (string);
  'id': (string);
}
