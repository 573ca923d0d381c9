// From proto/sluice/v1/cohorts.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface CountCohortRequest {
  'filters'?: (_google_protobuf_Value | null);
  'project_id'?: (string);
}

export interface CountCohortRequest__Output {
  'filters': (_google_protobuf_Value__Output | null);
  'project_id': (string);
}
