// From proto/sluice/v1/directory.proto

import type { KeyAnswer as _sluice_v1_KeyAnswer, KeyAnswer__Output as _sluice_v1_KeyAnswer__Output } from '../../sluice/v1/KeyAnswer.ts';

export interface ResolveKeysResponse {
  'answers'?: (_sluice_v1_KeyAnswer)[];
}

export interface ResolveKeysResponse__Output {
  'answers': (_sluice_v1_KeyAnswer__Output)[];
}
