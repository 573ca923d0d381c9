// From proto/sluice/v1/older_insights.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface OlderQuestionRequest {
  'project_id'?: (string);
  'question'?: (_google_protobuf_Value | null);
}

export interface OlderQuestionRequest__Output {
  'project_id': (string);
  'question': (_google_protobuf_Value__Output | null);
}
