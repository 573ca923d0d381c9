// From proto/sluice/v1/admin.proto

import type { WarnedCohort as _sluice_v1_WarnedCohort, WarnedCohort__Output as _sluice_v1_WarnedCohort__Output } from '../../sluice/v1/WarnedCohort.ts';
import type { Long } from '@grpc/proto-loader';

export interface WarnedCohorts {
  'count'?: (number | string | Long);
  'first'?: (_sluice_v1_WarnedCohort)[];
}

export interface WarnedCohorts__Output {
  'count': (number);
  'first': (_sluice_v1_WarnedCohort__Output)[];
}
