// From proto/sluice/v1/plugin_configs.proto

import type { PluginConfig as _sluice_v1_PluginConfig, PluginConfig__Output as _sluice_v1_PluginConfig__Output } from '../../sluice/v1/PluginConfig.ts';

export interface RearrangePluginConfigsResponse {
  'results'?: (_sluice_v1_PluginConfig)[];
  'moved'?: (_sluice_v1_PluginConfig | null);
}

export interface RearrangePluginConfigsResponse__Output {
  'results': (_sluice_v1_PluginConfig__Output)[];
  'moved': (_sluice_v1_PluginConfig__Output | null);
}
