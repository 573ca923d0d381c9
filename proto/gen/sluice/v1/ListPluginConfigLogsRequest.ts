// From proto/sluice/v1/plugin_configs.proto


export interface ListPluginConfigLogsRequest {
  'project_id'?: (string);
  'parent_lookup_plugin_config_id'?: (string);
  'after'?: (string);
  'before'?: (string);
  'search'?: (string);
  'type_filter'?: (string)[];
  'limit'?: (number);
  'offset'?: (number);
  '_after'?: "after";
  '_before'?: "before";
  '_search'?: "search";
}

export interface ListPluginConfigLogsRequest__Output {
  'project_id': (string);
  'parent_lookup_plugin_config_id': (string);
  'after'?: (string);
  'before'?: (string);
  'search'?: (string);
  'type_filter': (string)[];
  'limit': (number);
  'offset': (number);
}
