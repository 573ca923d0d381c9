// From proto/sluice/v1/feature_flags.proto

import type { FeatureFlag as _sluice_v1_FeatureFlag, FeatureFlag__Output as _sluice_v1_FeatureFlag__Output } from '../../sluice/v1/FeatureFlag.ts';
import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface MyFlag {
  'feature_flag'?: (_sluice_v1_FeatureFlag | null);
  'value'?: (_google_protobuf_Value | null);
}

export interface MyFlag__Output {
  'feature_flag': (_sluice_v1_FeatureFlag__Output | null);
  'value': (_google_protobuf_Value__Output | null);
}
