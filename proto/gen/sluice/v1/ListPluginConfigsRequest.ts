// From proto/sluice/v1/plugin_configs.proto


export interface ListPluginConfigsRequest {
  'project_id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListPluginConfigsRequest__Output {
  'project_id': (string);
  'limit': (number);
  'offset': (number);
}
