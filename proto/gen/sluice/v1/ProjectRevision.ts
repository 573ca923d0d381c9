// From proto/sluice/v1/directory.proto

import type { Long } from '@grpc/proto-loader';

export interface ProjectRevision {
  'project_id'?: (number);
  'revision'?: (number | string | Long);
}

export interface ProjectRevision__Output {
  'project_id': (number);
  'revision': (number);
}
