// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface MoveMonthResponse {
  'moved'?: (boolean);
  'events'?: (number | string | Long);
}

export interface MoveMonthResponse__Output {
  'moved': (boolean);
  'events': (number);
}
