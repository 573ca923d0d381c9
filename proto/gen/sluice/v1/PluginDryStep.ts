// From proto/sluice/v1/plugin_configs.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';
import type { PluginDryLog as _sluice_v1_PluginDryLog, PluginDryLog__Output as _sluice_v1_PluginDryLog__Output } from '../../sluice/v1/PluginDryLog.ts';

export interface PluginDryStep {
  'config'?: (number);
  'name'?: (string);
  'outcome'?: (string);
  'event'?: (_google_protobuf_Value | null);
  'error'?: (string);
  'logs'?: (_sluice_v1_PluginDryLog)[];
  '_error'?: "error";
}

export interface PluginDryStep__Output {
  'config': (number);
  'name': (string);
  'outcome': (string);
  'event': (_google_protobuf_Value__Output | null);
  'error'?: (string);
  'logs': (_sluice_v1_PluginDryLog__Output)[];
}
