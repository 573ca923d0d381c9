// From proto/sluice/v1/flag_evaluation.proto

import type { FlagCondition as _sluice_v1_FlagCondition, FlagCondition__Output as _sluice_v1_FlagCondition__Output } from '../../sluice/v1/FlagCondition.ts';

export interface FlagGate {
  'holds'?: (boolean);
  'properties'?: (_sluice_v1_FlagCondition)[];
  'bucket'?: (number | string);
  'threshold'?: (number | string);
  '_holds'?: "holds";
  '_bucket'?: "bucket";
}

export interface FlagGate__Output {
  'holds'?: (boolean);
  'properties': (_sluice_v1_FlagCondition__Output)[];
  'bucket'?: (number);
  'threshold': (number);
}
