// From proto/sluice/v1/plugins.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface UpdatePluginSourceRequest {
  'files'?: (_google_protobuf_Value | null);
  'id'?: (string);
  'organization_id'?: (string);
}

export interface UpdatePluginSourceRequest__Output {
  'files': (_google_protobuf_Value__Output | null);
  'id': (string);
  'organization_id': (string);
}
