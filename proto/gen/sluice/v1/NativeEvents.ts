// From proto/sluice/v1/events.proto

import type { Long } from '@grpc/proto-loader';

export interface NativeEvents {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (string);
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface NativeEvents__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (string);
}
