// From proto/sluice/v1/operations.proto

import type { Long } from '@grpc/proto-loader';

export interface ListDeadLettersRequest {
  'project'?: (number);
  'since'?: (string);
  'until'?: (string);
  'reason'?: (string);
  'cursor'?: (number | string | Long);
  'limit'?: (number);
  '_project'?: "project";
}

export interface ListDeadLettersRequest__Output {
  'project'?: (number);
  'since': (string);
  'until': (string);
  'reason': (string);
  'cursor': (number);
  'limit': (number);
}
