// From proto/sluice/v1/operations.proto

import type { Long } from '@grpc/proto-loader';

export interface ChangeDeadLettersRequest {
  'project'?: (number);
  'since'?: (string);
  'until'?: (string);
  'reason'?: (string);
  'all'?: (boolean);
  'dry_run'?: (boolean);
  'cursor'?: (number | string | Long);
  'limit'?: (number);
  '_project'?: "project";
}

export interface ChangeDeadLettersRequest__Output {
  'project'?: (number);
  'since': (string);
  'until': (string);
  'reason': (string);
  'all': (boolean);
  'dry_run': (boolean);
  'cursor': (number);
  'limit': (number);
}
