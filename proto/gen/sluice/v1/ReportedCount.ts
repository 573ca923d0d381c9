// From proto/sluice/v1/ingest.proto

import type { Long } from '@grpc/proto-loader';

export interface ReportedCount {
  'project_id'?: (number);
  'reason'?: (string);
  'age_ms'?: (number | string);
  'count'?: (number | string | Long);
}

export interface ReportedCount__Output {
  'project_id': (number);
  'reason': (string);
  'age_ms': (number);
  'count': (number);
}
