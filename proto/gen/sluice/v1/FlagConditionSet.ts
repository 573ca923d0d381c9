// From proto/sluice/v1/flag_evaluation.proto

import type { FlagCondition as _sluice_v1_FlagCondition, FlagCondition__Output as _sluice_v1_FlagCondition__Output } from '../../sluice/v1/FlagCondition.ts';
import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface FlagConditionSet {
  'reached'?: (boolean);
  'outcome'?: (string);
  'properties'?: (_sluice_v1_FlagCondition)[];
  'bucket'?: (number | string);
  'threshold'?: (number | string);
  'value'?: (_google_protobuf_Value | null);
  'variant_bucket'?: (number | string);
  '_bucket'?: "bucket";
  '_variant_bucket'?: "variant_bucket";
}

export interface FlagConditionSet__Output {
  'reached': (boolean);
  'outcome': (string);
  'properties': (_sluice_v1_FlagCondition__Output)[];
  'bucket'?: (number);
  'threshold': (number);
  'value': (_google_protobuf_Value__Output | null);
  'variant_bucket'?: (number);
}
