// From proto/sluice/v1/cohorts.proto

import type { PersonCohort as _sluice_v1_PersonCohort, PersonCohort__Output as _sluice_v1_PersonCohort__Output } from '../../sluice/v1/PersonCohort.ts';
import type { UnknownCohort as _sluice_v1_UnknownCohort, UnknownCohort__Output as _sluice_v1_UnknownCohort__Output } from '../../sluice/v1/UnknownCohort.ts';

export interface ListPersonCohortsResponse {
  'results'?: (_sluice_v1_PersonCohort)[];
  'unknown'?: (_sluice_v1_UnknownCohort)[];
}

export interface ListPersonCohortsResponse__Output {
  'results': (_sluice_v1_PersonCohort__Output)[];
  'unknown': (_sluice_v1_UnknownCohort__Output)[];
}
