// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface CopyDifference {
  'project_id'?: (number);
  'day'?: (string);
  'wanted'?: (number | string | Long);
  'found'?: (number | string | Long);
}

export interface CopyDifference__Output {
  'project_id': (number);
  'day': (string);
  'wanted': (number);
  'found': (number);
}
