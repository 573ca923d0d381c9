// From proto/sluice/v1/plugin_configs.proto

import type { PluginJob as _sluice_v1_PluginJob, PluginJob__Output as _sluice_v1_PluginJob__Output } from '../../sluice/v1/PluginJob.ts';
import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface RunPluginConfigJobRequest {
  'job'?: (_sluice_v1_PluginJob | null);
  'plugin'?: (number);
  'enabled'?: (boolean);
  'order'?: (number);
  'error'?: (_google_protobuf_Value | null);
  'id'?: (string);
  'project_id'?: (string);
  'null_fields'?: (string)[];
  '_plugin'?: "plugin";
  '_enabled'?: "enabled";
  '_order'?: "order";
}

export interface RunPluginConfigJobRequest__Output {
  'job': (_sluice_v1_PluginJob__Output | null);
  'plugin'?: (number);
  'enabled'?: (boolean);
  'order'?: (number);
  'error': (_google_protobuf_Value__Output | null);
  'id': (string);
  'project_id': (string);
  'null_fields': (string)[];
}
