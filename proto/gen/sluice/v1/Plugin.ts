// From proto/sluice/v1/plugins.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface Plugin {
  'id'?: (number);
  'plugin_type'?: (string);
  'name'?: (string);
  'description'?: (string);
  'url'?: (string);
  'icon'?: (string);
  'config_schema'?: (_google_protobuf_Value | null);
  'tag'?: (string);
  'latest_tag'?: (string);
  'is_global'?: (boolean);
  'organization_id'?: (string);
  'organization_name'?: (string);
  'capabilities'?: (_google_protobuf_Value | null);
  'metrics'?: (_google_protobuf_Value | null);
  'public_jobs'?: (_google_protobuf_Value | null);
  '_description'?: "description";
  '_url'?: "url";
  '_icon'?: "icon";
  '_tag'?: "tag";
  '_latest_tag'?: "latest_tag";
  '_organization_id'?: "organization_id";
  '_organization_name'?: "organization_name";
}

export interface Plugin__Output {
  'id': (number);
  'plugin_type': (string);
  'name': (string);
  'description'?: (string);
  'url'?: (string);
  'icon'?: (string);
  'config_schema': (_google_protobuf_Value__Output | null);
  'tag'?: (string);
  'latest_tag'?: (string);
  'is_global': (boolean);
  'organization_id'?: (string);
  'organization_name'?: (string);
  'capabilities': (_google_protobuf_Value__Output | null);
  'metrics': (_google_protobuf_Value__Output | null);
  'public_jobs': (_google_protobuf_Value__Output | null);
}
