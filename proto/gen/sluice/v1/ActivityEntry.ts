// From proto/sluice/v1/activity.proto

import type { UserSummary as _sluice_v1_UserSummary, UserSummary__Output as _sluice_v1_UserSummary__Output } from '../../sluice/v1/UserSummary.ts';
import type { ActivityDetail as _sluice_v1_ActivityDetail, ActivityDetail__Output as _sluice_v1_ActivityDetail__Output } from '../../sluice/v1/ActivityDetail.ts';

export interface ActivityEntry {
  'id'?: (string);
  'user'?: (_sluice_v1_UserSummary | null);
  'key_id'?: (string);
  'activity'?: (string);
  'scope'?: (string);
  'item_id'?: (string);
  'project_id'?: (number);
  'organization_id'?: (string);
  'detail'?: (_sluice_v1_ActivityDetail | null);
  'created_at'?: (string);
  '_user'?: "user";
  '_key_id'?: "key_id";
  '_project_id'?: "project_id";
  '_organization_id'?: "organization_id";
}

export interface ActivityEntry__Output {
  'id': (string);
  'user'?: (_sluice_v1_UserSummary__Output | null);
  'key_id'?: (string);
  'activity': (string);
  'scope': (string);
  'item_id': (string);
  'project_id'?: (number);
  'organization_id'?: (string);
  'detail': (_sluice_v1_ActivityDetail__Output | null);
  'created_at': (string);
}
