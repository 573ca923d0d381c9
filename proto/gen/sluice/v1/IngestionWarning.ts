// From proto/sluice/v1/ingestion_warnings.proto

import type { Struct as _google_protobuf_Struct, Struct__Output as _google_protobuf_Struct__Output } from '../../google/protobuf/Struct.ts';
import type { Long } from '@grpc/proto-loader';

export interface IngestionWarning {
  'type'?: (string);
  'details'?: (_google_protobuf_Struct | null);
  'count'?: (number | string | Long);
  'first_seen_at'?: (string);
  'last_seen_at'?: (string);
}

export interface IngestionWarning__Output {
  'type': (string);
  'details': (_google_protobuf_Struct__Output | null);
  'count': (number);
  'first_seen_at': (string);
  'last_seen_at': (string);
}
