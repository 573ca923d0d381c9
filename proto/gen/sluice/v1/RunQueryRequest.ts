// From proto/sluice/v1/insights.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface RunQueryRequest {
  'project_id'?: (string);
  'query'?: (_google_protobuf_Value | null);
  'refresh'?: (string);
  'client_query_id'?: (string);
  '_refresh'?: "refresh";
  '_client_query_id'?: "client_query_id";
}

export interface RunQueryRequest__Output {
  'project_id': (string);
  'query': (_google_protobuf_Value__Output | null);
  'refresh'?: (string);
  'client_query_id'?: (string);
}
