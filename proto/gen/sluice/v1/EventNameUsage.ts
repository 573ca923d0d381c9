// From proto/sluice/v1/users.proto

import type { Long } from '@grpc/proto-loader';

export interface EventNameUsage {
  'event'?: (string);
  'usage_count'?: (number | string | Long);
  'volume'?: (number | string | Long);
  '_usage_count'?: "usage_count";
  '_volume'?: "volume";
}

export interface EventNameUsage__Output {
  'event': (string);
  'usage_count'?: (number);
  'volume'?: (number);
}
