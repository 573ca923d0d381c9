// From proto/sluice/v1/flag_teams.proto


export interface GetFlagUsageRequest {
  'days'?: (number);
  'project_id'?: (string);
  'id'?: (string);
  '_days'?: "days";
}

export interface GetFlagUsageRequest__Output {
  'days'?: (number);
  'project_id': (string);
  'id': (string);
}
