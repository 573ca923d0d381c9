// From proto/sluice/v1/saved_insights.proto

import type { SavedInsight as _sluice_v1_SavedInsight, SavedInsight__Output as _sluice_v1_SavedInsight__Output } from '../../sluice/v1/SavedInsight.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListSavedInsightsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_SavedInsight)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListSavedInsightsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_SavedInsight__Output)[];
}
