// From proto/sluice/v1/plugin_configs.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface DryRunPluginConfigRequest {
  'event'?: (_google_protobuf_Value | null);
  'id'?: (string);
  'project_id'?: (string);
}

export interface DryRunPluginConfigRequest__Output {
  'event': (_google_protobuf_Value__Output | null);
  'id': (string);
  'project_id': (string);
}
