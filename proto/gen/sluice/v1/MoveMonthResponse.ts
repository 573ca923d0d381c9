// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface MoveMonthResponse {
  'moved'?: (boolean);
  'events'?: (number | string | Long);
  'store'?: (string);
}

export interface MoveMonthResponse__Output {
  'moved': (boolean);
  'events': (number);
  'store': (string);
}
