// From proto/sluice/v1/plugin_configs.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface PluginConfig {
  'id'?: (number);
  'plugin'?: (number);
  'enabled'?: (boolean);
  'order'?: (number);
  'config'?: (string);
  'error'?: (_google_protobuf_Value | null);
  'team_id'?: (number);
  'plugin_info'?: (string);
  'delivery_rate_24h'?: (string);
  'created_at'?: (string);
  'plugin_version'?: (number);
  'plugin_update'?: (number);
  '_plugin_info'?: "plugin_info";
  '_delivery_rate_24h'?: "delivery_rate_24h";
  '_plugin_update'?: "plugin_update";
}

export interface PluginConfig__Output {
  'id': (number);
  'plugin': (number);
  'enabled': (boolean);
  'order': (number);
  'config': (string);
  'error': (_google_protobuf_Value__Output | null);
  'team_id': (number);
  'plugin_info'?: (string);
  'delivery_rate_24h'?: (string);
  'created_at': (string);
  'plugin_version': (number);
  'plugin_update'?: (number);
}
