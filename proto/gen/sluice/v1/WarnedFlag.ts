// From proto/sluice/v1/admin.proto


export interface WarnedFlag {
  'project_id'?: (number);
  'key'?: (string);
}

export interface WarnedFlag__Output {
  'project_id': (number);
  'key': (string);
}
