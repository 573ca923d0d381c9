// From proto/sluice/v1/decide.proto

import type { DecideQuestion as _sluice_v1_DecideQuestion, DecideQuestion__Output as _sluice_v1_DecideQuestion__Output } from '../../sluice/v1/DecideQuestion.ts';

export interface DecideBatchRequest {
  'questions'?: (_sluice_v1_DecideQuestion)[];
}

export interface DecideBatchRequest__Output {
  'questions': (_sluice_v1_DecideQuestion__Output)[];
}
