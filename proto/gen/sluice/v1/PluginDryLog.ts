// From proto/sluice/v1/plugin_configs.proto


export interface PluginDryLog {
  'type'?: (string);
  'message'?: (string);
}

export interface PluginDryLog__Output {
  'type': (string);
  'message': (string);
}
