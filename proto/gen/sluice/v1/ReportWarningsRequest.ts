// From proto/sluice/v1/ingest.proto

import type { ReportedWarning as _sluice_v1_ReportedWarning, ReportedWarning__Output as _sluice_v1_ReportedWarning__Output } from '../../sluice/v1/ReportedWarning.ts';
import type { ReportedCount as _sluice_v1_ReportedCount, ReportedCount__Output as _sluice_v1_ReportedCount__Output } from '../../sluice/v1/ReportedCount.ts';

export interface ReportWarningsRequest {
  'samples'?: (_sluice_v1_ReportedWarning)[];
  'counts'?: (_sluice_v1_ReportedCount)[];
}

export interface ReportWarningsRequest__Output {
  'samples': (_sluice_v1_ReportedWarning__Output)[];
  'counts': (_sluice_v1_ReportedCount__Output)[];
}
