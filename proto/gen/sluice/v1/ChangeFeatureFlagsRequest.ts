// From proto/sluice/v1/flag_teams.proto


export interface ChangeFeatureFlagsRequest {
  'ids'?: (number)[];
  'active'?: (boolean);
  'deleted'?: (boolean);
  'add_tags'?: (string)[];
  'remove_tags'?: (string)[];
  'project_id'?: (string);
  '_active'?: "active";
  '_deleted'?: "deleted";
}

export interface ChangeFeatureFlagsRequest__Output {
  'ids': (number)[];
  'active'?: (boolean);
  'deleted'?: (boolean);
  'add_tags': (string)[];
  'remove_tags': (string)[];
  'project_id': (string);
}
