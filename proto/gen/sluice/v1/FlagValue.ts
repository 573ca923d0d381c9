// From proto/sluice/v1/decide.proto


export interface FlagValue {
  'key'?: (string);
  'enabled'?: (boolean);
  'variant'?: (string);
  'reason_code'?: (string);
  'condition_index'?: (number);
  'reason_description'?: (string);
  'payload'?: (string);
  'id'?: (number);
  'version'?: (number);
  'description'?: (string);
  '_condition_index'?: "condition_index";
}

export interface FlagValue__Output {
  'key': (string);
  'enabled': (boolean);
  'variant': (string);
  'reason_code': (string);
  'condition_index'?: (number);
  'reason_description': (string);
  'payload': (string);
  'id': (number);
  'version': (number);
  'description': (string);
}
