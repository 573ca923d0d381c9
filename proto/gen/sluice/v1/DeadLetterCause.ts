// From proto/sluice/v1/operations.proto

import type { Long } from '@grpc/proto-loader';

export interface DeadLetterCause {
  'sqlstate'?: (string);
  'error'?: (string);
  'count'?: (number | string | Long);
  'projects'?: (number);
  'oldest_at'?: (string);
  'newest_at'?: (string);
}

export interface DeadLetterCause__Output {
  'sqlstate': (string);
  'error': (string);
  'count': (number);
  'projects': (number);
  'oldest_at': (string);
  'newest_at': (string);
}
