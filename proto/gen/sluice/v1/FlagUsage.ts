// From proto/sluice/v1/flag_teams.proto

import type { FlagUsageValue as _sluice_v1_FlagUsageValue, FlagUsageValue__Output as _sluice_v1_FlagUsageValue__Output } from '../../sluice/v1/FlagUsageValue.ts';
import type { Long } from '@grpc/proto-loader';

export interface FlagUsage {
  'status'?: (string);
  'reason'?: (string);
  'count'?: (number | string | Long);
  'last_called_at'?: (string);
  'days'?: (string)[];
  'values'?: (_sluice_v1_FlagUsageValue)[];
  '_last_called_at'?: "last_called_at";
}

export interface FlagUsage__Output {
  'status': (string);
  'reason': (string);
  'count': (number);
  'last_called_at'?: (string);
  'days': (string)[];
  'values': (_sluice_v1_FlagUsageValue__Output)[];
}
