// From proto/sluice/v1/plugin_configs.proto


export interface PluginAttachment {
  'key'?: (string);
  'file_name'?: (string);
  'content_type'?: (string);
  'contents'?: (Buffer | Uint8Array | string);
}

export interface PluginAttachment__Output {
  'key': (string);
  'file_name': (string);
  'content_type': (string);
  'contents': (Buffer);
}
