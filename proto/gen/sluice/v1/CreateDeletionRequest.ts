// From proto/sluice/v1/deletions.proto


export interface CreateDeletionRequest {
  'project_id'?: (string);
  'after'?: (string);
  'before'?: (string);
  'event'?: (string);
  'distinct_id'?: (string);
  'person_id'?: (string);
  'properties'?: (string);
  'where'?: (string)[];
  'dry_run'?: (boolean);
  '_event'?: "event";
  '_distinct_id'?: "distinct_id";
  '_person_id'?: "person_id";
  '_dry_run'?: "dry_run";
}

export interface CreateDeletionRequest__Output {
  'project_id': (string);
  'after': (string);
  'before': (string);
  'event'?: (string);
  'distinct_id'?: (string);
  'person_id'?: (string);
  'properties': (string);
  'where': (string)[];
  'dry_run'?: (boolean);
}
