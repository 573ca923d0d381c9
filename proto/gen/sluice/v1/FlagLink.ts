// From proto/sluice/v1/flag_teams.proto


export interface FlagLink {
  'id'?: (number);
  'key'?: (string);
  'active'?: (boolean);
}

export interface FlagLink__Output {
  'id': (number);
  'key': (string);
  'active': (boolean);
}
