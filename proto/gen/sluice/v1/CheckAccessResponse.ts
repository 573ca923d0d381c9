// From proto/sluice/v1/access.proto


export interface CheckAccessResponse {
  'user_id'?: (number);
}

export interface CheckAccessResponse__Output {
  'user_id': (number);
}
