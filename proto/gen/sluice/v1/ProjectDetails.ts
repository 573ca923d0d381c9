// From proto/sluice/v1/admin.proto


export interface ProjectDetails {
  'id'?: (number);
  'name'?: (string);
  'api_key'?: (string);
}

export interface ProjectDetails__Output {
  'id': (number);
  'name': (string);
  'api_key': (string);
}
