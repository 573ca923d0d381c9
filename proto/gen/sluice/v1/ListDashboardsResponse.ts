// From proto/sluice/v1/dashboards.proto

import type { DashboardSummary as _sluice_v1_DashboardSummary, DashboardSummary__Output as _sluice_v1_DashboardSummary__Output } from '../../sluice/v1/DashboardSummary.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListDashboardsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_DashboardSummary)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListDashboardsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_DashboardSummary__Output)[];
}
