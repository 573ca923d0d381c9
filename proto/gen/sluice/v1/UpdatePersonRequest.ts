// From proto/sluice/v1/persons.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface UpdatePersonRequest {
  'project_id'?: (string);
  'id'?: (string);
  'by'?: (string);
  'properties'?: (_google_protobuf_Value | null);
  'unset'?: (string)[];
  '_by'?: "by";
}

export interface UpdatePersonRequest__Output {
  'project_id': (string);
  'id': (string);
  'by'?: (string);
  'properties': (_google_protobuf_Value__Output | null);
  'unset': (string)[];
}
