// From proto/sluice/v1/persons.proto


export interface ExportPersonResponse {
  'person'?: (string);
  'events'?: (string);
  'cursor'?: (string);
}

export interface ExportPersonResponse__Output {
  'person': (string);
  'events': (string);
  'cursor': (string);
}
