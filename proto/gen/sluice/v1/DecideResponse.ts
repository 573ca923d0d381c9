// From proto/sluice/v1/decide.proto

import type { FlagValue as _sluice_v1_FlagValue, FlagValue__Output as _sluice_v1_FlagValue__Output } from '../../sluice/v1/FlagValue.ts';
import type { Long } from '@grpc/proto-loader';

export interface DecideResponse {
  'flags'?: (_sluice_v1_FlagValue)[];
  'errors_while_computing_flags'?: (boolean);
  'revision'?: (number | string | Long);
}

export interface DecideResponse__Output {
  'flags': (_sluice_v1_FlagValue__Output)[];
  'errors_while_computing_flags': (boolean);
  'revision': (number);
}
