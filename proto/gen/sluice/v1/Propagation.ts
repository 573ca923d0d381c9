// From proto/sluice/v1/flag_teams.proto

import type { Long } from '@grpc/proto-loader';

export interface Propagation {
  'revision'?: (number | string | Long);
  'gateways'?: (number);
  'confirmed'?: (number);
  'elapsed_ms'?: (number | string);
  '_revision'?: "revision";
  '_confirmed'?: "confirmed";
  '_elapsed_ms'?: "elapsed_ms";
}

export interface Propagation__Output {
  'revision'?: (number);
  'gateways': (number);
  'confirmed'?: (number);
  'elapsed_ms'?: (number);
}
