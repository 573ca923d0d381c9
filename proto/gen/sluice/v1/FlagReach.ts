// From proto/sluice/v1/flag_teams.proto

import type { Long } from '@grpc/proto-loader';

export interface FlagReach {
  'users_affected'?: (number | string | Long);
  'total_users'?: (number | string | Long);
  '_users_affected'?: "users_affected";
  '_total_users'?: "total_users";
}

export interface FlagReach__Output {
  'users_affected'?: (number);
  'total_users'?: (number);
}
