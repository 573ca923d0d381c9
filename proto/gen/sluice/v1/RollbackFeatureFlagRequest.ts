// From proto/sluice/v1/feature_flags.proto


export interface RollbackFeatureFlagRequest {
  'version'?: (number);
  'id'?: (string);
  'project_id'?: (string);
  '_version'?: "version";
}

export interface RollbackFeatureFlagRequest__Output {
  'version'?: (number);
  'id': (string);
  'project_id': (string);
}
