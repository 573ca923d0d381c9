// From proto/sluice/v1/plugins.proto


export interface UpdatePluginRequest {
  'name'?: (string);
  'description'?: (string);
  'url'?: (string);
  'icon'?: (string);
  'is_global'?: (boolean);
  'id'?: (string);
  'organization_id'?: (string);
  'null_fields'?: (string)[];
  '_name'?: "name";
  '_description'?: "description";
  '_url'?: "url";
  '_icon'?: "icon";
  '_is_global'?: "is_global";
}

export interface UpdatePluginRequest__Output {
  'name'?: (string);
  'description'?: (string);
  'url'?: (string);
  'icon'?: (string);
  'is_global'?: (boolean);
  'id': (string);
  'organization_id': (string);
  'null_fields': (string)[];
}
