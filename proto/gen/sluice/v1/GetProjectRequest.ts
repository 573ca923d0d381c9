// From proto/sluice/v1/projects.proto


export interface GetProjectRequest {
  'id'?: (string);
}

export interface GetProjectRequest__Output {
  'id': (string);
}
