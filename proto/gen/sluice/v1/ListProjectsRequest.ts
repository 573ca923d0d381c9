// From proto/sluice/v1/projects.proto


export interface ListProjectsRequest {
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListProjectsRequest__Output {
  'limit': (number);
  'offset': (number);
}
