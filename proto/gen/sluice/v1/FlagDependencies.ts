// From proto/sluice/v1/flag_teams.proto

import type { FlagLink as _sluice_v1_FlagLink, FlagLink__Output as _sluice_v1_FlagLink__Output } from '../../sluice/v1/FlagLink.ts';
import type { CohortLink as _sluice_v1_CohortLink, CohortLink__Output as _sluice_v1_CohortLink__Output } from '../../sluice/v1/CohortLink.ts';

export interface FlagDependencies {
  'depends_on'?: (_sluice_v1_FlagLink)[];
  'dependents'?: (_sluice_v1_FlagLink)[];
  'cohorts'?: (_sluice_v1_CohortLink)[];
}

export interface FlagDependencies__Output {
  'depends_on': (_sluice_v1_FlagLink__Output)[];
  'dependents': (_sluice_v1_FlagLink__Output)[];
  'cohorts': (_sluice_v1_CohortLink__Output)[];
}
