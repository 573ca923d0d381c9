// From proto/sluice/v1/projects.proto


export interface ResetProjectTokenRequest {
  'id'?: (string);
}

export interface ResetProjectTokenRequest__Output {
  'id': (string);
}
