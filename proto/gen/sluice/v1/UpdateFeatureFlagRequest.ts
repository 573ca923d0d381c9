// From proto/sluice/v1/feature_flags.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface UpdateFeatureFlagRequest {
  'key'?: (string);
  'name'?: (string);
  'filters'?: (_google_protobuf_Value | null);
  'deleted'?: (boolean);
  'active'?: (boolean);
  'ensure_experience_continuity'?: (boolean);
  'rollback_conditions'?: (_google_protobuf_Value | null);
  'tags'?: (_google_protobuf_Value | null);
  'bucketing_identifier'?: (string);
  'evaluation_runtime'?: (string);
  'evaluation_contexts'?: (_google_protobuf_Value | null);
  'has_encrypted_payloads'?: (boolean);
  'version'?: (number);
  'id'?: (string);
  'project_id'?: (string);
  'null_fields'?: (string)[];
  '_key'?: "key";
  '_name'?: "name";
  '_deleted'?: "deleted";
  '_active'?: "active";
  '_ensure_experience_continuity'?: "ensure_experience_continuity";
  '_bucketing_identifier'?: "bucketing_identifier";
  '_evaluation_runtime'?: "evaluation_runtime";
  '_has_encrypted_payloads'?: "has_encrypted_payloads";
  '_version'?: "version";
}

export interface UpdateFeatureFlagRequest__Output {
  'key'?: (string);
  'name'?: (string);
  'filters': (_google_protobuf_Value__Output | null);
  'deleted'?: (boolean);
  'active'?: (boolean);
  'ensure_experience_continuity'?: (boolean);
  'rollback_conditions': (_google_protobuf_Value__Output | null);
  'tags': (_google_protobuf_Value__Output | null);
  'bucketing_identifier'?: (string);
  'evaluation_runtime'?: (string);
  'evaluation_contexts': (_google_protobuf_Value__Output | null);
  'has_encrypted_payloads'?: (boolean);
  'version'?: (number);
  'id': (string);
  'project_id': (string);
  'null_fields': (string)[];
}
