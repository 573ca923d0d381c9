// From proto/sluice/v1/plugin_configs.proto

import type { PluginConfig as _sluice_v1_PluginConfig, PluginConfig__Output as _sluice_v1_PluginConfig__Output } from '../../sluice/v1/PluginConfig.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListPluginConfigsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_PluginConfig)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListPluginConfigsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_PluginConfig__Output)[];
}
