// From proto/sluice/v1/persons.proto


export interface MergePersonsRequest {
  'project_id'?: (string);
  'id'?: (string);
  'by'?: (string);
  'distinct_ids'?: (string)[];
  'dry_run'?: (boolean);
  '_by'?: "by";
  '_dry_run'?: "dry_run";
}

export interface MergePersonsRequest__Output {
  'project_id': (string);
  'id': (string);
  'by'?: (string);
  'distinct_ids': (string)[];
  'dry_run'?: (boolean);
}
