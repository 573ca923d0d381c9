// From proto/sluice/v1/cohorts.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface CreateCohortRequest {
  'name'?: (string);
  'description'?: (string);
  'filters'?: (_google_protobuf_Value | null);
  'is_static'?: (boolean);
  'distinct_ids'?: (string)[];
  'csv'?: (string);
  'project_id'?: (string);
  '_name'?: "name";
  '_description'?: "description";
  '_is_static'?: "is_static";
  '_csv'?: "csv";
}

export interface CreateCohortRequest__Output {
  'name'?: (string);
  'description'?: (string);
  'filters': (_google_protobuf_Value__Output | null);
  'is_static'?: (boolean);
  'distinct_ids': (string)[];
  'csv'?: (string);
  'project_id': (string);
}
