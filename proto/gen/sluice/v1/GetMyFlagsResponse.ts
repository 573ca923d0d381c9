// From proto/sluice/v1/feature_flags.proto

import type { MyFlag as _sluice_v1_MyFlag, MyFlag__Output as _sluice_v1_MyFlag__Output } from '../../sluice/v1/MyFlag.ts';

export interface GetMyFlagsResponse {
  'results'?: (_sluice_v1_MyFlag)[];
}

export interface GetMyFlagsResponse__Output {
  'results': (_sluice_v1_MyFlag__Output)[];
}
