// From proto/sluice/v1/dashboards.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface CreateDashboardRequest {
  'name'?: (string);
  'description'?: (string);
  'tags'?: (_google_protobuf_Value | null);
  'filters'?: (_google_protobuf_Value | null);
  'tiles'?: (_google_protobuf_Value | null);
  'deleted'?: (boolean);
  'project_id'?: (string);
  '_name'?: "name";
  '_description'?: "description";
  '_deleted'?: "deleted";
}

export interface CreateDashboardRequest__Output {
  'name'?: (string);
  'description'?: (string);
  'tags': (_google_protobuf_Value__Output | null);
  'filters': (_google_protobuf_Value__Output | null);
  'tiles': (_google_protobuf_Value__Output | null);
  'deleted'?: (boolean);
  'project_id': (string);
}
