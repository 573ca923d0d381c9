// From proto/sluice/v1/feature_flags.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';
import type { UserSummary as _sluice_v1_UserSummary, UserSummary__Output as _sluice_v1_UserSummary__Output } from '../../sluice/v1/UserSummary.ts';

export interface FeatureFlag {
  'id'?: (number);
  'name'?: (string);
  'key'?: (string);
  'filters'?: (_google_protobuf_Value | null);
  'deleted'?: (boolean);
  'active'?: (boolean);
  'created_by'?: (_sluice_v1_UserSummary | null);
  'created_at'?: (string);
  'is_simple_flag'?: (boolean);
  'rollout_percentage'?: (number | string);
  'ensure_experience_continuity'?: (boolean);
  'experiment_set'?: (number)[];
  'rollback_conditions'?: (_google_protobuf_Value | null);
  'performed_rollback'?: (boolean);
  'can_edit'?: (boolean);
  'tags'?: (string)[];
  'version'?: (number);
  'bucketing_identifier'?: (string);
  'evaluation_runtime'?: (string);
  'evaluation_contexts'?: (string)[];
  'has_encrypted_payloads'?: (boolean);
  'warnings'?: (string)[];
  '_created_by'?: "created_by";
  '_rollout_percentage'?: "rollout_percentage";
}

export interface FeatureFlag__Output {
  'id': (number);
  'name': (string);
  'key': (string);
  'filters': (_google_protobuf_Value__Output | null);
  'deleted': (boolean);
  'active': (boolean);
  'created_by'?: (_sluice_v1_UserSummary__Output | null);
  'created_at': (string);
  'is_simple_flag': (boolean);
  'rollout_percentage'?: (number);
  'ensure_experience_continuity': (boolean);
  'experiment_set': (number)[];
  'rollback_conditions': (_google_protobuf_Value__Output | null);
  'performed_rollback': (boolean);
  'can_edit': (boolean);
  'tags': (string)[];
  'version': (number);
  'bucketing_identifier': (string);
  'evaluation_runtime': (string);
  'evaluation_contexts': (string)[];
  'has_encrypted_payloads': (boolean);
  'warnings': (string)[];
}
