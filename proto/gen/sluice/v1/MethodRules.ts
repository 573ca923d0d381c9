// From proto/sluice/v1/options.proto


export interface MethodRules {
  'scope'?: (string);
  'level'?: (number);
  'success_status'?: (number);
  'paginated'?: (boolean);
  'limit_max'?: (number);
  'limit_default'?: (number);
  'optional_fields'?: (string)[];
  'media_types'?: (string)[];
  'project_field'?: (string);
  'single_item'?: (boolean);
  'public'?: (boolean);
  'staff'?: (boolean);
  'plugin_level'?: (number);
  'conditional'?: (boolean);
  'alternatives'?: (string)[];
  'accepted_field'?: (string);
}

export interface MethodRules__Output {
  'scope': (string);
  'level': (number);
  'success_status': (number);
  'paginated': (boolean);
  'limit_max': (number);
  'limit_default': (number);
  'optional_fields': (string)[];
  'media_types': (string)[];
  'project_field': (string);
  'single_item': (boolean);
  'public': (boolean);
  'staff': (boolean);
  'plugin_level': (number);
  'conditional': (boolean);
  'alternatives': (string)[];
  'accepted_field': (string);
}
