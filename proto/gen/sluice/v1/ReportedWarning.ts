// From proto/sluice/v1/ingest.proto

import type { Long } from '@grpc/proto-loader';

export interface ReportedWarning {
  'project_id'?: (number);
  'reason'?: (string);
  'subject'?: (string);
  'details'?: (string);
  'count'?: (number | string | Long);
}

export interface ReportedWarning__Output {
  'project_id': (number);
  'reason': (string);
  'subject': (string);
  'details': (string);
  'count': (number);
}
