// From proto/sluice/v1/persons.proto


export interface DeletePersonRequest {
  'project_id'?: (string);
  'id'?: (string);
  'delete_events'?: (boolean);
  'by'?: (string);
  'dry_run'?: (boolean);
  '_delete_events'?: "delete_events";
  '_by'?: "by";
  '_dry_run'?: "dry_run";
}

export interface DeletePersonRequest__Output {
  'project_id': (string);
  'id': (string);
  'delete_events'?: (boolean);
  'by'?: (string);
  'dry_run'?: (boolean);
}
