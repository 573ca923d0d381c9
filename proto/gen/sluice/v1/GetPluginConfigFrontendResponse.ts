// From proto/sluice/v1/plugin_configs.proto

import type { PluginConfig as _sluice_v1_PluginConfig, PluginConfig__Output as _sluice_v1_PluginConfig__Output } from '../../sluice/v1/PluginConfig.ts';

export interface GetPluginConfigFrontendResponse {
  'config'?: (_sluice_v1_PluginConfig | null);
  'module'?: (string);
}

export interface GetPluginConfigFrontendResponse__Output {
  'config': (_sluice_v1_PluginConfig__Output | null);
  'module': (string);
}
