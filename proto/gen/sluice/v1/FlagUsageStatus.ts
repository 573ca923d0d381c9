// From proto/sluice/v1/flag_teams.proto

import type { Long } from '@grpc/proto-loader';

export interface FlagUsageStatus {
  'id'?: (number);
  'key'?: (string);
  'status'?: (string);
  'reason'?: (string);
  'count'?: (number | string | Long);
  'last_called_at'?: (string);
  '_last_called_at'?: "last_called_at";
}

export interface FlagUsageStatus__Output {
  'id': (number);
  'key': (string);
  'status': (string);
  'reason': (string);
  'count': (number);
  'last_called_at'?: (string);
}
