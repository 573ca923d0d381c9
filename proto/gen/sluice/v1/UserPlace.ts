// From proto/sluice/v1/admin.proto


export interface UserPlace {
  'id'?: (string);
  'name'?: (string);
  'level'?: (number);
}

export interface UserPlace__Output {
  'id': (string);
  'name': (string);
  'level': (number);
}
