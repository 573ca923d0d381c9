// From proto/sluice/v1/flag_teams.proto

import type { Long } from '@grpc/proto-loader';

export interface FlagUsageValue {
  'value'?: (string);
  'count'?: (number | string | Long);
  'last_called_at'?: (string);
  'data'?: (number | string | Long)[];
  '_value'?: "value";
}

export interface FlagUsageValue__Output {
  'value'?: (string);
  'count': (number);
  'last_called_at': (string);
  'data': (number)[];
}
