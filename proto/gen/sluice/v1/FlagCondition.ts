// From proto/sluice/v1/flag_evaluation.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface FlagCondition {
  'property'?: (_google_protobuf_Value | null);
  'holds'?: (boolean);
  'actual'?: (_google_protobuf_Value | null);
}

export interface FlagCondition__Output {
  'property': (_google_protobuf_Value__Output | null);
  'holds': (boolean);
  'actual': (_google_protobuf_Value__Output | null);
}
