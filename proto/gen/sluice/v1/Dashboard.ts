// From proto/sluice/v1/dashboards.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';
import type { DashboardTile as _sluice_v1_DashboardTile, DashboardTile__Output as _sluice_v1_DashboardTile__Output } from '../../sluice/v1/DashboardTile.ts';
import type { UserSummary as _sluice_v1_UserSummary, UserSummary__Output as _sluice_v1_UserSummary__Output } from '../../sluice/v1/UserSummary.ts';

export interface Dashboard {
  'id'?: (number);
  'name'?: (string);
  'description'?: (string);
  'tags'?: (string)[];
  'filters'?: (_google_protobuf_Value | null);
  'tiles'?: (_sluice_v1_DashboardTile)[];
  'deleted'?: (boolean);
  'created_at'?: (string);
  'created_by'?: (_sluice_v1_UserSummary | null);
  'last_modified_at'?: (string);
  'last_modified_by'?: (_sluice_v1_UserSummary | null);
  '_created_by'?: "created_by";
  '_last_modified_by'?: "last_modified_by";
}

export interface Dashboard__Output {
  'id': (number);
  'name': (string);
  'description': (string);
  'tags': (string)[];
  'filters': (_google_protobuf_Value__Output | null);
  'tiles': (_sluice_v1_DashboardTile__Output)[];
  'deleted': (boolean);
  'created_at': (string);
  'created_by'?: (_sluice_v1_UserSummary__Output | null);
  'last_modified_at': (string);
  'last_modified_by'?: (_sluice_v1_UserSummary__Output | null);
}
