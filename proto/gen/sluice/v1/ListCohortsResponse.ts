// From proto/sluice/v1/cohorts.proto

import type { Cohort as _sluice_v1_Cohort, Cohort__Output as _sluice_v1_Cohort__Output } from '../../sluice/v1/Cohort.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListCohortsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_Cohort)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListCohortsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_Cohort__Output)[];
}
