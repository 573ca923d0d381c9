// From proto/sluice/v1/plugins.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface CreatePluginRequest {
  'plugin_type'?: (string);
  'name'?: (string);
  'description'?: (string);
  'url'?: (string);
  'icon'?: (string);
  'is_global'?: (boolean);
  'files'?: (_google_protobuf_Value | null);
  'organization_id'?: (string);
  'null_fields'?: (string)[];
  '_plugin_type'?: "plugin_type";
  '_name'?: "name";
  '_description'?: "description";
  '_url'?: "url";
  '_icon'?: "icon";
  '_is_global'?: "is_global";
}

export interface CreatePluginRequest__Output {
  'plugin_type'?: (string);
  'name'?: (string);
  'description'?: (string);
  'url'?: (string);
  'icon'?: (string);
  'is_global'?: (boolean);
  'files': (_google_protobuf_Value__Output | null);
  'organization_id': (string);
  'null_fields': (string)[];
}
