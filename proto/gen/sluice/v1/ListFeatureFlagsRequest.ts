// From proto/sluice/v1/feature_flags.proto


export interface ListFeatureFlagsRequest {
  'project_id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
  'search'?: (string);
  '_search'?: "search";
}

export interface ListFeatureFlagsRequest__Output {
  'project_id': (string);
  'limit': (number);
  'offset': (number);
  'search'?: (string);
}
