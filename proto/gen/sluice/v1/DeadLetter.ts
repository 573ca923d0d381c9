// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface DeadLetter {
  'id'?: (number | string | Long);
  'project_id'?: (number);
  'uuid'?: (string);
  'event'?: (string);
  'distinct_id'?: (string);
  'sqlstate'?: (string);
  'error'?: (string);
  'attempts'?: (number);
  'created_at'?: (string);
  'payload'?: (string);
  '_payload'?: "payload";
}

export interface DeadLetter__Output {
  'id': (number);
  'project_id': (number);
  'uuid': (string);
  'event': (string);
  'distinct_id': (string);
  'sqlstate': (string);
  'error': (string);
  'attempts': (number);
  'created_at': (string);
  'payload'?: (string);
}
