// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface ShardStatus {
  'shard'?: (number);
  'epoch'?: (number | string | Long);
  'owner'?: (string);
  'released'?: (boolean);
}

export interface ShardStatus__Output {
  'shard': (number);
  'epoch': (number);
  'owner': (string);
  'released': (boolean);
}
