// From proto/sluice/v1/dashboards.proto

import type { DashboardText as _sluice_v1_DashboardText, DashboardText__Output as _sluice_v1_DashboardText__Output } from '../../sluice/v1/DashboardText.ts';
import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface DashboardTile {
  'insight'?: (string);
  'text'?: (_sluice_v1_DashboardText | null);
  'layouts'?: (_google_protobuf_Value | null);
  'name'?: (string);
  'query'?: (_google_protobuf_Value | null);
  '_insight'?: "insight";
  '_text'?: "text";
  '_name'?: "name";
}

export interface DashboardTile__Output {
  'insight'?: (string);
  'text'?: (_sluice_v1_DashboardText__Output | null);
  'layouts': (_google_protobuf_Value__Output | null);
  'name'?: (string);
  'query': (_google_protobuf_Value__Output | null);
}
