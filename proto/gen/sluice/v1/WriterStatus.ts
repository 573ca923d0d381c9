// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface WriterStatus {
  'queued_events'?: (number | string | Long);
  'queued_bytes'?: (number | string | Long);
  'stored_events'?: (number | string | Long);
  'duplicate_events'?: (number | string | Long);
  'dead_letter_events'?: (number | string | Long);
  'oldest_wait_ms'?: (number | string);
  'last_error'?: (string);
}

export interface WriterStatus__Output {
  'queued_events': (number);
  'queued_bytes': (number);
  'stored_events': (number);
  'duplicate_events': (number);
  'dead_letter_events': (number);
  'oldest_wait_ms': (number);
  'last_error': (string);
}
