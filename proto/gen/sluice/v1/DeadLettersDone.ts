// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface DeadLettersDone {
  'matched'?: (number | string | Long);
  'stored'?: (number | string | Long);
  'refused'?: (number | string | Long);
  'discarded'?: (number | string | Long);
  'cursor'?: (number | string | Long);
}

export interface DeadLettersDone__Output {
  'matched': (number);
  'stored': (number);
  'refused': (number);
  'discarded': (number);
  'cursor': (number);
}
