// From proto/sluice/v1/flag_evaluation.proto

import type { FlagOutcome as _sluice_v1_FlagOutcome, FlagOutcome__Output as _sluice_v1_FlagOutcome__Output } from '../../sluice/v1/FlagOutcome.ts';

export interface EvaluateFlagsResponse {
  'results'?: (_sluice_v1_FlagOutcome)[];
}

export interface EvaluateFlagsResponse__Output {
  'results': (_sluice_v1_FlagOutcome__Output)[];
}
