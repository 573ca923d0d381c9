// From proto/sluice/v1/plugin_configs.proto


export interface PluginLogEntry {
  'id'?: (string);
  'team_id'?: (number);
  'plugin_id'?: (number);
  'plugin_config_id'?: (number);
  'timestamp'?: (string);
  'source'?: (string);
  'type'?: (string);
  'message'?: (string);
  'instance_id'?: (string);
}

export interface PluginLogEntry__Output {
  'id': (string);
  'team_id': (number);
  'plugin_id': (number);
  'plugin_config_id': (number);
  'timestamp': (string);
  'source': (string);
  'type': (string);
  'message': (string);
  'instance_id': (string);
}
