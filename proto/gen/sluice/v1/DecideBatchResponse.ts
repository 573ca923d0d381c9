// From proto/sluice/v1/decide.proto

import type { DecideAnswer as _sluice_v1_DecideAnswer, DecideAnswer__Output as _sluice_v1_DecideAnswer__Output } from '../../sluice/v1/DecideAnswer.ts';

export interface DecideBatchResponse {
  'answers'?: (_sluice_v1_DecideAnswer)[];
}

export interface DecideBatchResponse__Output {
  'answers': (_sluice_v1_DecideAnswer__Output)[];
}
