// From proto/sluice/v1/plugin_configs.proto

import type { PluginLogEntry as _sluice_v1_PluginLogEntry, PluginLogEntry__Output as _sluice_v1_PluginLogEntry__Output } from '../../sluice/v1/PluginLogEntry.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListPluginConfigLogsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_PluginLogEntry)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListPluginConfigLogsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_PluginLogEntry__Output)[];
}
