// From proto/sluice/v1/events.proto

import type { Long } from '@grpc/proto-loader';

export interface EventTable {
  'columns'?: (string)[];
  'types'?: (string)[];
  'results'?: (string);
  'has_more'?: (boolean);
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface EventTable__Output {
  'columns': (string)[];
  'types': (string)[];
  'results': (string);
  'has_more': (boolean);
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
}
