// From proto/sluice/v1/deletions.proto


export interface CancelDeletionRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface CancelDeletionRequest__Output {
  'project_id': (string);
  'id': (string);
}
