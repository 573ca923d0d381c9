// From proto/sluice/v1/ingestion_warnings.proto

import type { Long } from '@grpc/proto-loader';

export interface DroppedEvents {
  'reason'?: (string);
  'effect'?: (string);
  'count'?: (number | string | Long);
  'meaning'?: (string);
  'advice'?: (string);
}

export interface DroppedEvents__Output {
  'reason': (string);
  'effect': (string);
  'count': (number);
  'meaning': (string);
  'advice': (string);
}
