// From proto/sluice/v1/projects.proto

import type { ProjectSummary as _sluice_v1_ProjectSummary, ProjectSummary__Output as _sluice_v1_ProjectSummary__Output } from '../../sluice/v1/ProjectSummary.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListProjectsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_ProjectSummary)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListProjectsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_ProjectSummary__Output)[];
}
