// From proto/sluice/v1/plugin_configs.proto


export interface GetPluginConfigRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface GetPluginConfigRequest__Output {
  'project_id': (string);
  'id': (string);
}
