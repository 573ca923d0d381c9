// From proto/sluice/v1/admin.proto

import type { DeadLetter as _sluice_v1_DeadLetter, DeadLetter__Output as _sluice_v1_DeadLetter__Output } from '../../sluice/v1/DeadLetter.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListDeadLettersResponse {
  'results'?: (_sluice_v1_DeadLetter)[];
  'count'?: (number | string | Long);
  'cursor'?: (number | string | Long);
}

export interface ListDeadLettersResponse__Output {
  'results': (_sluice_v1_DeadLetter__Output)[];
  'count': (number);
  'cursor': (number);
}
