// From proto/sluice/v1/deletions.proto

import type { Deletion as _sluice_v1_Deletion, Deletion__Output as _sluice_v1_Deletion__Output } from '../../sluice/v1/Deletion.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListDeletionsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_Deletion)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListDeletionsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_Deletion__Output)[];
}
