// From proto/sluice/v1/feature_flags.proto

import type { LocalFlag as _sluice_v1_LocalFlag, LocalFlag__Output as _sluice_v1_LocalFlag__Output } from '../../sluice/v1/LocalFlag.ts';
import type { Struct as _google_protobuf_Struct, Struct__Output as _google_protobuf_Struct__Output } from '../../google/protobuf/Struct.ts';

export interface GetLocalEvaluationResponse {
  'flags'?: (_sluice_v1_LocalFlag)[];
  'group_type_mapping'?: (_google_protobuf_Struct | null);
  'cohorts'?: (_google_protobuf_Struct | null);
  'text'?: (string);
}

export interface GetLocalEvaluationResponse__Output {
  'flags': (_sluice_v1_LocalFlag__Output)[];
  'group_type_mapping': (_google_protobuf_Struct__Output | null);
  'cohorts': (_google_protobuf_Struct__Output | null);
  'text': (string);
}
