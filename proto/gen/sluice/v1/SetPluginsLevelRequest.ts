// From proto/sluice/v1/admin.proto


export interface SetPluginsLevelRequest {
  'organization_id'?: (string);
  'level'?: (number);
}

export interface SetPluginsLevelRequest__Output {
  'organization_id': (string);
  'level': (number);
}
