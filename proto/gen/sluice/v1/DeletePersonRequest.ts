// From proto/sluice/v1/persons.proto


export interface DeletePersonRequest {
  'project_id'?: (string);
  'id'?: (string);
  'delete_events'?: (boolean);
  'by'?: (string);
  '_delete_events'?: "delete_events";
  '_by'?: "by";
}

export interface DeletePersonRequest__Output {
  'project_id': (string);
  'id': (string);
  'delete_events'?: (boolean);
  'by'?: (string);
}
