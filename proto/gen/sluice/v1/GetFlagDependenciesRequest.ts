// From proto/sluice/v1/flag_teams.proto


export interface GetFlagDependenciesRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface GetFlagDependenciesRequest__Output {
  'project_id': (string);
  'id': (string);
}
