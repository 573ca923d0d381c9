// From proto/sluice/v1/deletions.proto


export interface ListDeletionsRequest {
  'project_id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListDeletionsRequest__Output {
  'project_id': (string);
  'limit': (number);
  'offset': (number);
}
