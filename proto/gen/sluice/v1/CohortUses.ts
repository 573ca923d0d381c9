// From proto/sluice/v1/cohorts.proto

import type { FlagLink as _sluice_v1_FlagLink, FlagLink__Output as _sluice_v1_FlagLink__Output } from '../../sluice/v1/FlagLink.ts';
import type { CohortLink as _sluice_v1_CohortLink, CohortLink__Output as _sluice_v1_CohortLink__Output } from '../../sluice/v1/CohortLink.ts';
import type { InsightLink as _sluice_v1_InsightLink, InsightLink__Output as _sluice_v1_InsightLink__Output } from '../../sluice/v1/InsightLink.ts';
import type { DashboardLink as _sluice_v1_DashboardLink, DashboardLink__Output as _sluice_v1_DashboardLink__Output } from '../../sluice/v1/DashboardLink.ts';

export interface CohortUses {
  'feature_flags'?: (_sluice_v1_FlagLink)[];
  'cohorts'?: (_sluice_v1_CohortLink)[];
  'insights'?: (_sluice_v1_InsightLink)[];
  'dashboards'?: (_sluice_v1_DashboardLink)[];
  'test_accounts'?: (boolean);
  'unread'?: (string)[];
}

export interface CohortUses__Output {
  'feature_flags': (_sluice_v1_FlagLink__Output)[];
  'cohorts': (_sluice_v1_CohortLink__Output)[];
  'insights': (_sluice_v1_InsightLink__Output)[];
  'dashboards': (_sluice_v1_DashboardLink__Output)[];
  'test_accounts': (boolean);
  'unread': (string)[];
}
