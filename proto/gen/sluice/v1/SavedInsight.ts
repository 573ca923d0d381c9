// From proto/sluice/v1/saved_insights.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';
import type { UserSummary as _sluice_v1_UserSummary, UserSummary__Output as _sluice_v1_UserSummary__Output } from '../../sluice/v1/UserSummary.ts';

export interface SavedInsight {
  'id'?: (number);
  'short_id'?: (string);
  'name'?: (string);
  'description'?: (string);
  'query'?: (_google_protobuf_Value | null);
  'tags'?: (string)[];
  'favorited'?: (boolean);
  'deleted'?: (boolean);
  'created_at'?: (string);
  'created_by'?: (_sluice_v1_UserSummary | null);
  'last_modified_at'?: (string);
  'last_modified_by'?: (_sluice_v1_UserSummary | null);
  '_created_by'?: "created_by";
  '_last_modified_by'?: "last_modified_by";
}

export interface SavedInsight__Output {
  'id': (number);
  'short_id': (string);
  'name': (string);
  'description': (string);
  'query': (_google_protobuf_Value__Output | null);
  'tags': (string)[];
  'favorited': (boolean);
  'deleted': (boolean);
  'created_at': (string);
  'created_by'?: (_sluice_v1_UserSummary__Output | null);
  'last_modified_at': (string);
  'last_modified_by'?: (_sluice_v1_UserSummary__Output | null);
}
