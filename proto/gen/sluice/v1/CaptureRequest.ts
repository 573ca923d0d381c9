// From proto/sluice/v1/ingest.proto

import type { Struct as _google_protobuf_Struct, Struct__Output as _google_protobuf_Struct__Output } from '../../google/protobuf/Struct.ts';

export interface CaptureRequest {
  'event'?: (string);
  'distinct_id'?: (string);
  'properties'?: (_google_protobuf_Struct | null);
  'timestamp'?: (string);
  'uuid'?: (string);
}

export interface CaptureRequest__Output {
  'event': (string);
  'distinct_id': (string);
  'properties': (_google_protobuf_Struct__Output | null);
  'timestamp': (string);
  'uuid': (string);
}
