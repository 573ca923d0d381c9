// From proto/sluice/v1/event_definitions.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface UpdateEventDefinitionRequest {
  'owner'?: (number);
  'description'?: (string);
  'tags'?: (_google_protobuf_Value | null);
  'verified'?: (boolean);
  'post_to_chat'?: (boolean);
  'id'?: (string);
  'project_id'?: (string);
  'null_fields'?: (string)[];
  '_owner'?: "owner";
  '_description'?: "description";
  '_verified'?: "verified";
  '_post_to_chat'?: "post_to_chat";
}

export interface UpdateEventDefinitionRequest__Output {
  'owner'?: (number);
  'description'?: (string);
  'tags': (_google_protobuf_Value__Output | null);
  'verified'?: (boolean);
  'post_to_chat'?: (boolean);
  'id': (string);
  'project_id': (string);
  'null_fields': (string)[];
}
