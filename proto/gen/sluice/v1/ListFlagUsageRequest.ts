// From proto/sluice/v1/flag_teams.proto


export interface ListFlagUsageRequest {
  'project_id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListFlagUsageRequest__Output {
  'project_id': (string);
  'limit': (number);
  'offset': (number);
}
