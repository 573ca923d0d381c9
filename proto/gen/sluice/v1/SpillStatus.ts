// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface SpillStatus {
  'configured'?: (boolean);
  'connected'?: (boolean);
  'breaker'?: (string);
  'messages'?: (number | string | Long);
  'bytes'?: (number | string | Long);
  'bytes_max'?: (number | string | Long);
  'oldest_age_ms'?: (number | string);
  'spilled_events'?: (number | string | Long);
  'drained_events'?: (number | string | Long);
  'repeated_events'?: (number | string | Long);
  'redelivered_messages'?: (number | string | Long);
}

export interface SpillStatus__Output {
  'configured': (boolean);
  'connected': (boolean);
  'breaker': (string);
  'messages': (number);
  'bytes': (number);
  'bytes_max': (number);
  'oldest_age_ms': (number);
  'spilled_events': (number);
  'drained_events': (number);
  'repeated_events': (number);
  'redelivered_messages': (number);
}
