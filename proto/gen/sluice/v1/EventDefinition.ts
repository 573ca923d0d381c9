// From proto/sluice/v1/event_definitions.proto

import type { UserSummary as _sluice_v1_UserSummary, UserSummary__Output as _sluice_v1_UserSummary__Output } from '../../sluice/v1/UserSummary.ts';
import type { Long } from '@grpc/proto-loader';

export interface EventDefinition {
  'id'?: (string);
  'name'?: (string);
  'owner'?: (number);
  'description'?: (string);
  'tags'?: (string)[];
  'volume_30_day'?: (number | string | Long);
  'query_usage_30_day'?: (number | string | Long);
  'created_at'?: (string);
  'updated_at'?: (string);
  'updated_by'?: (_sluice_v1_UserSummary | null);
  'last_seen_at'?: (string);
  'last_updated_at'?: (string);
  'verified'?: (boolean);
  'verified_at'?: (string);
  'verified_by'?: (_sluice_v1_UserSummary | null);
  'is_action'?: (string);
  'action_id'?: (number);
  'is_calculating'?: (boolean);
  'last_calculated_at'?: (string);
  'created_by'?: (_sluice_v1_UserSummary | null);
  'post_to_chat'?: (boolean);
  '_owner'?: "owner";
  '_description'?: "description";
  '_volume_30_day'?: "volume_30_day";
  '_query_usage_30_day'?: "query_usage_30_day";
  '_created_at'?: "created_at";
  '_updated_at'?: "updated_at";
  '_updated_by'?: "updated_by";
  '_last_seen_at'?: "last_seen_at";
  '_last_updated_at'?: "last_updated_at";
  '_verified_at'?: "verified_at";
  '_verified_by'?: "verified_by";
  '_action_id'?: "action_id";
  '_last_calculated_at'?: "last_calculated_at";
  '_created_by'?: "created_by";
}

export interface EventDefinition__Output {
  'id': (string);
  'name': (string);
  'owner'?: (number);
  'description'?: (string);
  'tags': (string)[];
  'volume_30_day'?: (number);
  'query_usage_30_day'?: (number);
  'created_at'?: (string);
  'updated_at'?: (string);
  'updated_by'?: (_sluice_v1_UserSummary__Output | null);
  'last_seen_at'?: (string);
  'last_updated_at'?: (string);
  'verified': (boolean);
  'verified_at'?: (string);
  'verified_by'?: (_sluice_v1_UserSummary__Output | null);
  'is_action': (string);
  'action_id'?: (number);
  'is_calculating': (boolean);
  'last_calculated_at'?: (string);
  'created_by'?: (_sluice_v1_UserSummary__Output | null);
  'post_to_chat': (boolean);
}
