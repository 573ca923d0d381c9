// From proto/sluice/v1/plugins.proto


export interface ListPluginsRequest {
  'organization_id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListPluginsRequest__Output {
  'organization_id': (string);
  'limit': (number);
  'offset': (number);
}
