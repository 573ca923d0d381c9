// From proto/sluice/v1/feature_flags.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface LocalFlag {
  'id'?: (number);
  'team_id'?: (number);
  'name'?: (string);
  'key'?: (string);
  'filters'?: (_google_protobuf_Value | null);
  'deleted'?: (boolean);
  'active'?: (boolean);
  'ensure_experience_continuity'?: (boolean);
  'version'?: (number);
  'bucketing_identifier'?: (string);
  'evaluation_runtime'?: (string);
  'evaluation_contexts'?: (string)[];
  'has_encrypted_payloads'?: (boolean);
}

export interface LocalFlag__Output {
  'id': (number);
  'team_id': (number);
  'name': (string);
  'key': (string);
  'filters': (_google_protobuf_Value__Output | null);
  'deleted': (boolean);
  'active': (boolean);
  'ensure_experience_continuity': (boolean);
  'version': (number);
  'bucketing_identifier': (string);
  'evaluation_runtime': (string);
  'evaluation_contexts': (string)[];
  'has_encrypted_payloads': (boolean);
}
