// From proto/sluice/v1/cohorts.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';
import type { UserSummary as _sluice_v1_UserSummary, UserSummary__Output as _sluice_v1_UserSummary__Output } from '../../sluice/v1/UserSummary.ts';
import type { Long } from '@grpc/proto-loader';

export interface Cohort {
  'id'?: (number);
  'name'?: (string);
  'description'?: (string);
  'filters'?: (_google_protobuf_Value | null);
  'is_static'?: (boolean);
  'deleted'?: (boolean);
  'count'?: (number | string | Long);
  'not_found'?: (number | string | Long);
  'created_at'?: (string);
  'created_by'?: (_sluice_v1_UserSummary | null);
  'updated_at'?: (string);
  '_count'?: "count";
  '_not_found'?: "not_found";
  '_created_by'?: "created_by";
}

export interface Cohort__Output {
  'id': (number);
  'name': (string);
  'description': (string);
  'filters': (_google_protobuf_Value__Output | null);
  'is_static': (boolean);
  'deleted': (boolean);
  'count'?: (number);
  'not_found'?: (number);
  'created_at': (string);
  'created_by'?: (_sluice_v1_UserSummary__Output | null);
  'updated_at': (string);
}
