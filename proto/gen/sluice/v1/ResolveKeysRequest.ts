// From proto/sluice/v1/directory.proto

import type { KeyQuestion as _sluice_v1_KeyQuestion, KeyQuestion__Output as _sluice_v1_KeyQuestion__Output } from '../../sluice/v1/KeyQuestion.ts';

export interface ResolveKeysRequest {
  'questions'?: (_sluice_v1_KeyQuestion)[];
}

export interface ResolveKeysRequest__Output {
  'questions': (_sluice_v1_KeyQuestion__Output)[];
}
