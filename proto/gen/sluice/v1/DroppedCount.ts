// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface DroppedCount {
  'project_id'?: (number);
  'reason'?: (string);
  'effect'?: (string);
  'count'?: (number | string | Long);
}

export interface DroppedCount__Output {
  'project_id': (number);
  'reason': (string);
  'effect': (string);
  'count': (number);
}
