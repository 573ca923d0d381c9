// From proto/sluice/v1/persons.proto


export interface ExportPersonRequest {
  'project_id'?: (string);
  'id'?: (string);
  'by'?: (string);
  'cursor'?: (string);
  '_by'?: "by";
}

export interface ExportPersonRequest__Output {
  'project_id': (string);
  'id': (string);
  'by'?: (string);
  'cursor': (string);
}
