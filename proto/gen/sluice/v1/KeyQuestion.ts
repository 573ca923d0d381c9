// From proto/sluice/v1/directory.proto


export interface KeyQuestion {
  'token'?: (string);
  'project_id'?: (number);
}

export interface KeyQuestion__Output {
  'token': (string);
  'project_id': (number);
}
