// From proto/sluice/v1/flag_teams.proto

import type { FlagUsageStatus as _sluice_v1_FlagUsageStatus, FlagUsageStatus__Output as _sluice_v1_FlagUsageStatus__Output } from '../../sluice/v1/FlagUsageStatus.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListFlagUsageResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_FlagUsageStatus)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListFlagUsageResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_FlagUsageStatus__Output)[];
}
