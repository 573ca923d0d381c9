// From proto/sluice/v1/plugins.proto

import type { Struct as _google_protobuf_Struct, Struct__Output as _google_protobuf_Struct__Output } from '../../google/protobuf/Struct.ts';

export interface PluginSource {
  'files'?: (_google_protobuf_Struct | null);
}

export interface PluginSource__Output {
  'files': (_google_protobuf_Struct__Output | null);
}
