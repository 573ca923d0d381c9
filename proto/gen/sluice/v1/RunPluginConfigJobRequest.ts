// From proto/sluice/v1/plugin_configs.proto

import type { PluginJob as _sluice_v1_PluginJob, PluginJob__Output as _sluice_v1_PluginJob__Output } from '../../sluice/v1/PluginJob.ts';

export interface RunPluginConfigJobRequest {
  'job'?: (_sluice_v1_PluginJob | null);
  'id'?: (string);
  'project_id'?: (string);
}

export interface RunPluginConfigJobRequest__Output {
  'job': (_sluice_v1_PluginJob__Output | null);
  'id': (string);
  'project_id': (string);
}
