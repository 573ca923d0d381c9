// From proto/sluice/v1/plugin_configs.proto

import type { PluginDryStep as _sluice_v1_PluginDryStep, PluginDryStep__Output as _sluice_v1_PluginDryStep__Output } from '../../sluice/v1/PluginDryStep.ts';

export interface DryRunPluginConfigResponse {
  'steps'?: (_sluice_v1_PluginDryStep)[];
}

export interface DryRunPluginConfigResponse__Output {
  'steps': (_sluice_v1_PluginDryStep__Output)[];
}
