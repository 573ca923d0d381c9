// From proto/sluice/v1/admin.proto


export interface UserReference {
  'user'?: (string);
}

export interface UserReference__Output {
  'user': (string);
}
