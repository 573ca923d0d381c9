// From proto/sluice/v1/activity.proto

import type { ActivityEntry as _sluice_v1_ActivityEntry, ActivityEntry__Output as _sluice_v1_ActivityEntry__Output } from '../../sluice/v1/ActivityEntry.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListActivityResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_ActivityEntry)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListActivityResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_ActivityEntry__Output)[];
}
