// From proto/sluice/v1/admin.proto


export interface SetPluginsLevelResponse {
  'organization_id'?: (string);
  'name'?: (string);
  'level_before'?: (number);
  'level'?: (number);
}

export interface SetPluginsLevelResponse__Output {
  'organization_id': (string);
  'name': (string);
  'level_before': (number);
  'level': (number);
}
