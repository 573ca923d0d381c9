// From proto/sluice/v1/directory.proto

import type { Long } from '@grpc/proto-loader';

export interface GatewayProject {
  'id'?: (number);
  'revision'?: (number | string | Long);
  'anonymize_ips'?: (boolean);
  'api_token'?: (string);
  'has_flags'?: (boolean);
  'capture_performance'?: (boolean);
  'has_plugins'?: (boolean);
}

export interface GatewayProject__Output {
  'id': (number);
  'revision': (number);
  'anonymize_ips': (boolean);
  'api_token': (string);
  'has_flags': (boolean);
  'capture_performance': (boolean);
  'has_plugins': (boolean);
}
