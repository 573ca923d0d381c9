// From proto/sluice/v1/directory.proto

import type { KeyKind as _sluice_v1_KeyKind, KeyKind__Output as _sluice_v1_KeyKind__Output } from './KeyKind.ts';
import type { GatewayProject as _sluice_v1_GatewayProject, GatewayProject__Output as _sluice_v1_GatewayProject__Output } from './GatewayProject.ts';

export interface KeyAnswer {
  'kind'?: (_sluice_v1_KeyKind);
  'project'?: (_sluice_v1_GatewayProject | null);
}

export interface KeyAnswer__Output {
  'kind': (_sluice_v1_KeyKind__Output);
  'project': (_sluice_v1_GatewayProject__Output | null);
}
