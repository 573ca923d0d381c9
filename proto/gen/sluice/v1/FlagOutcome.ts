// From proto/sluice/v1/flag_evaluation.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';
import type { FlagReason as _sluice_v1_FlagReason, FlagReason__Output as _sluice_v1_FlagReason__Output } from '../../sluice/v1/FlagReason.ts';
import type { FlagGate as _sluice_v1_FlagGate, FlagGate__Output as _sluice_v1_FlagGate__Output } from '../../sluice/v1/FlagGate.ts';
import type { FlagConditionSet as _sluice_v1_FlagConditionSet, FlagConditionSet__Output as _sluice_v1_FlagConditionSet__Output } from '../../sluice/v1/FlagConditionSet.ts';

export interface FlagOutcome {
  'flag_id'?: (number);
  'key'?: (string);
  'version'?: (number);
  'active'?: (boolean);
  'value'?: (_google_protobuf_Value | null);
  'payload'?: (string);
  'reason'?: (_sluice_v1_FlagReason | null);
  'failed'?: (boolean);
  'opt_in'?: (_sluice_v1_FlagGate | null);
  'holdout'?: (_sluice_v1_FlagGate | null);
  'condition_sets'?: (_sluice_v1_FlagConditionSet)[];
  '_flag_id'?: "flag_id";
  '_version'?: "version";
  '_payload'?: "payload";
}

export interface FlagOutcome__Output {
  'flag_id'?: (number);
  'key': (string);
  'version'?: (number);
  'active': (boolean);
  'value': (_google_protobuf_Value__Output | null);
  'payload'?: (string);
  'reason': (_sluice_v1_FlagReason__Output | null);
  'failed': (boolean);
  'opt_in': (_sluice_v1_FlagGate__Output | null);
  'holdout': (_sluice_v1_FlagGate__Output | null);
  'condition_sets': (_sluice_v1_FlagConditionSet__Output)[];
}
