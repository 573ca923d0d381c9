// From proto/sluice/v1/plugin_configs.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface PluginJob {
  'type'?: (string);
  'operation'?: (string);
  'payload'?: (_google_protobuf_Value | null);
  '_type'?: "type";
  '_operation'?: "operation";
}

export interface PluginJob__Output {
  'type'?: (string);
  'operation'?: (string);
  'payload': (_google_protobuf_Value__Output | null);
}
