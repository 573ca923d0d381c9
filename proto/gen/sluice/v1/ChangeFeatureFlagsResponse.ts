// From proto/sluice/v1/flag_teams.proto


export interface ChangeFeatureFlagsResponse {
  'changed'?: (number)[];
  'unchanged'?: (number)[];
}

export interface ChangeFeatureFlagsResponse__Output {
  'changed': (number)[];
  'unchanged': (number)[];
}
