// From proto/sluice/v1/directory.proto

import type { KeyKind as _sluice_v1_KeyKind, KeyKind__Output as _sluice_v1_KeyKind__Output } from '../../sluice/v1/KeyKind.ts';
import type { GatewayProject as _sluice_v1_GatewayProject, GatewayProject__Output as _sluice_v1_GatewayProject__Output } from '../../sluice/v1/GatewayProject.ts';

export interface KeyAnswer {
  'kind'?: (_sluice_v1_KeyKind);
  'project'?: (_sluice_v1_GatewayProject | null);
  'expires_in_ms'?: (number | string);
  'lacks_event_write'?: (boolean);
  'lacks_feature_flag_read'?: (boolean);
  'is_personal'?: (boolean);
  '_expires_in_ms'?: "expires_in_ms";
}

export interface KeyAnswer__Output {
  'kind': (_sluice_v1_KeyKind__Output);
  'project': (_sluice_v1_GatewayProject__Output | null);
  'expires_in_ms'?: (number);
  'lacks_event_write': (boolean);
  'lacks_feature_flag_read': (boolean);
  'is_personal': (boolean);
}
