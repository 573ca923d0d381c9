// From proto/sluice/v1/flag_teams.proto


export interface CohortLink {
  'id'?: (number);
  'name'?: (string);
}

export interface CohortLink__Output {
  'id': (number);
  'name': (string);
}
