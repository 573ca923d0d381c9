// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface DeadLetterFilter {
  'ids'?: (number | string | Long)[];
  'project_id'?: (number);
  'since'?: (string);
  'until'?: (string);
  'reason'?: (string);
  'dry_run'?: (boolean);
  'cursor'?: (number | string | Long);
  'limit'?: (number);
  '_project_id'?: "project_id";
}

export interface DeadLetterFilter__Output {
  'ids': (number)[];
  'project_id'?: (number);
  'since': (string);
  'until': (string);
  'reason': (string);
  'dry_run': (boolean);
  'cursor': (number);
  'limit': (number);
}
