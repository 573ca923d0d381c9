// From proto/sluice/v1/plugin_configs.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface RearrangePluginConfigsRequest {
  'orders'?: (_google_protobuf_Value | null);
  'plugin'?: (number);
  'enabled'?: (boolean);
  'order'?: (number);
  'error'?: (_google_protobuf_Value | null);
  'project_id'?: (string);
  'null_fields'?: (string)[];
  '_plugin'?: "plugin";
  '_enabled'?: "enabled";
  '_order'?: "order";
}

export interface RearrangePluginConfigsRequest__Output {
  'orders': (_google_protobuf_Value__Output | null);
  'plugin'?: (number);
  'enabled'?: (boolean);
  'order'?: (number);
  'error': (_google_protobuf_Value__Output | null);
  'project_id': (string);
  'null_fields': (string)[];
}
