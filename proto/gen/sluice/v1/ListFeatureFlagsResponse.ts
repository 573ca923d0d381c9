// From proto/sluice/v1/feature_flags.proto

import type { FeatureFlag as _sluice_v1_FeatureFlag, FeatureFlag__Output as _sluice_v1_FeatureFlag__Output } from '../../sluice/v1/FeatureFlag.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListFeatureFlagsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_FeatureFlag)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListFeatureFlagsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_FeatureFlag__Output)[];
}
