// From proto/sluice/v1/deletions.proto


export interface GetDeletionRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface GetDeletionRequest__Output {
  'project_id': (string);
  'id': (string);
}
