// From proto/sluice/v1/plugins.proto


export interface GetPluginRequest {
  'organization_id'?: (string);
  'id'?: (string);
}

export interface GetPluginRequest__Output {
  'organization_id': (string);
  'id': (string);
}
