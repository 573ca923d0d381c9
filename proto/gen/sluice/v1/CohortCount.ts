// From proto/sluice/v1/cohorts.proto

import type { Long } from '@grpc/proto-loader';

export interface CohortCount {
  'count'?: (number | string | Long);
  'total'?: (number | string | Long);
  '_count'?: "count";
  '_total'?: "total";
}

export interface CohortCount__Output {
  'count'?: (number);
  'total'?: (number);
}
