// From proto/sluice/v1/dashboards.proto

import type { UserSummary as _sluice_v1_UserSummary, UserSummary__Output as _sluice_v1_UserSummary__Output } from '../../sluice/v1/UserSummary.ts';

export interface DashboardSummary {
  'id'?: (number);
  'name'?: (string);
  'description'?: (string);
  'tags'?: (string)[];
  'created_at'?: (string);
  'created_by'?: (_sluice_v1_UserSummary | null);
  'last_modified_at'?: (string);
  'last_modified_by'?: (_sluice_v1_UserSummary | null);
  '_created_by'?: "created_by";
  '_last_modified_by'?: "last_modified_by";
}

export interface DashboardSummary__Output {
  'id': (number);
  'name': (string);
  'description': (string);
  'tags': (string)[];
  'created_at': (string);
  'created_by'?: (_sluice_v1_UserSummary__Output | null);
  'last_modified_at': (string);
  'last_modified_by'?: (_sluice_v1_UserSummary__Output | null);
}
