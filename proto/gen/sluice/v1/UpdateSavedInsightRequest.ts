// From proto/sluice/v1/saved_insights.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface UpdateSavedInsightRequest {
  'name'?: (string);
  'description'?: (string);
  'query'?: (_google_protobuf_Value | null);
  'tags'?: (_google_protobuf_Value | null);
  'favorited'?: (boolean);
  'deleted'?: (boolean);
  'id'?: (string);
  'project_id'?: (string);
  '_name'?: "name";
  '_description'?: "description";
  '_favorited'?: "favorited";
  '_deleted'?: "deleted";
}

export interface UpdateSavedInsightRequest__Output {
  'name'?: (string);
  'description'?: (string);
  'query': (_google_protobuf_Value__Output | null);
  'tags': (_google_protobuf_Value__Output | null);
  'favorited'?: (boolean);
  'deleted'?: (boolean);
  'id': (string);
  'project_id': (string);
}
