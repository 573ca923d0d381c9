// From proto/sluice/v1/personal_api_keys.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface UpdatePersonalApiKeyRequest {
  'label'?: (string);
  'scopes'?: (_google_protobuf_Value | null);
  'scoped_teams'?: (_google_protobuf_Value | null);
  'scoped_organizations'?: (_google_protobuf_Value | null);
  'expires_at'?: (string);
  'id'?: (string);
  'null_fields'?: (string)[];
  '_label'?: "label";
  '_expires_at'?: "expires_at";
}

export interface UpdatePersonalApiKeyRequest__Output {
  'label'?: (string);
  'scopes': (_google_protobuf_Value__Output | null);
  'scoped_teams': (_google_protobuf_Value__Output | null);
  'scoped_organizations': (_google_protobuf_Value__Output | null);
  'expires_at'?: (string);
  'id': (string);
  'null_fields': (string)[];
}
