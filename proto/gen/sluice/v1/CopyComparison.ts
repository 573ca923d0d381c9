// From proto/sluice/v1/admin.proto

import type { CopyDifference as _sluice_v1_CopyDifference, CopyDifference__Output as _sluice_v1_CopyDifference__Output } from '../../sluice/v1/CopyDifference.ts';
import type { Long } from '@grpc/proto-loader';

export interface CopyComparison {
  'events'?: (number | string | Long);
  'differences'?: (_sluice_v1_CopyDifference)[];
  'missing_blocks'?: (number | string | Long)[];
}

export interface CopyComparison__Output {
  'events': (number);
  'differences': (_sluice_v1_CopyDifference__Output)[];
  'missing_blocks': (number)[];
}
