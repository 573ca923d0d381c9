// From proto/sluice/v1/feature_flags.proto


export interface ListFeatureFlagActivityRequest {
  'project_id'?: (string);
  'id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListFeatureFlagActivityRequest__Output {
  'project_id': (string);
  'id': (string);
  'limit': (number);
  'offset': (number);
}
