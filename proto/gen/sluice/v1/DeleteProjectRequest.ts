// From proto/sluice/v1/projects.proto


export interface DeleteProjectRequest {
  'id'?: (string);
}

export interface DeleteProjectRequest__Output {
  'id': (string);
}
