// From proto/sluice/v1/login.proto


export interface EndSessionRequest {
  'id'?: (string);
}

export interface EndSessionRequest__Output {
  'id': (string);
}
