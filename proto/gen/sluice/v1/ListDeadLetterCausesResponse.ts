// From proto/sluice/v1/operations.proto

import type { DeadLetterCause as _sluice_v1_DeadLetterCause, DeadLetterCause__Output as _sluice_v1_DeadLetterCause__Output } from '../../sluice/v1/DeadLetterCause.ts';

export interface ListDeadLetterCausesResponse {
  'results'?: (_sluice_v1_DeadLetterCause)[];
}

export interface ListDeadLetterCausesResponse__Output {
  'results': (_sluice_v1_DeadLetterCause__Output)[];
}
