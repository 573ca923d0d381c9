// From proto/sluice/v1/cohorts.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface UpdateCohortRequest {
  'name'?: (string);
  'description'?: (string);
  'filters'?: (_google_protobuf_Value | null);
  'deleted'?: (boolean);
  'distinct_ids'?: (string)[];
  'csv'?: (string);
  'id'?: (string);
  'project_id'?: (string);
  '_name'?: "name";
  '_description'?: "description";
  '_deleted'?: "deleted";
  '_csv'?: "csv";
}

export interface UpdateCohortRequest__Output {
  'name'?: (string);
  'description'?: (string);
  'filters': (_google_protobuf_Value__Output | null);
  'deleted'?: (boolean);
  'distinct_ids': (string)[];
  'csv'?: (string);
  'id': (string);
  'project_id': (string);
}
