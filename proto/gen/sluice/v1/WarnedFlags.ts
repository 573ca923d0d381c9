// From proto/sluice/v1/admin.proto

import type { WarnedFlag as _sluice_v1_WarnedFlag, WarnedFlag__Output as _sluice_v1_WarnedFlag__Output } from '../../sluice/v1/WarnedFlag.ts';
import type { Long } from '@grpc/proto-loader';

export interface WarnedFlags {
  'count'?: (number | string | Long);
  'first'?: (_sluice_v1_WarnedFlag)[];
}

export interface WarnedFlags__Output {
  'count': (number);
  'first': (_sluice_v1_WarnedFlag__Output)[];
}
