// From proto/sluice/v1/persons.proto


export interface GetPersonRequest {
  'project_id'?: (string);
  'id'?: (string);
  'by'?: (string);
  '_by'?: "by";
}

export interface GetPersonRequest__Output {
  'project_id': (string);
  'id': (string);
  'by'?: (string);
}
