// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface RefusedKeys {
  'project'?: (number | string | Long);
  'personal'?: (number | string | Long);
  'operator'?: (number | string | Long);
}

export interface RefusedKeys__Output {
  'project': (number);
  'personal': (number);
  'operator': (number);
}
