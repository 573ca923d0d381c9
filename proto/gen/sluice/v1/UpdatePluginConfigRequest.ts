// From proto/sluice/v1/plugin_configs.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';
import type { PluginAttachment as _sluice_v1_PluginAttachment, PluginAttachment__Output as _sluice_v1_PluginAttachment__Output } from '../../sluice/v1/PluginAttachment.ts';

export interface UpdatePluginConfigRequest {
  'plugin'?: (number);
  'enabled'?: (boolean);
  'order'?: (number);
  'error'?: (_google_protobuf_Value | null);
  'config'?: (_google_protobuf_Value | null);
  'attachments'?: (_sluice_v1_PluginAttachment)[];
  'removed_attachments'?: (string)[];
  'plugin_version'?: (number);
  'id'?: (string);
  'project_id'?: (string);
  'null_fields'?: (string)[];
  '_plugin'?: "plugin";
  '_enabled'?: "enabled";
  '_order'?: "order";
  '_plugin_version'?: "plugin_version";
}

export interface UpdatePluginConfigRequest__Output {
  'plugin'?: (number);
  'enabled'?: (boolean);
  'order'?: (number);
  'error': (_google_protobuf_Value__Output | null);
  'config': (_google_protobuf_Value__Output | null);
  'attachments': (_sluice_v1_PluginAttachment__Output)[];
  'removed_attachments': (string)[];
  'plugin_version'?: (number);
  'id': (string);
  'project_id': (string);
  'null_fields': (string)[];
}
