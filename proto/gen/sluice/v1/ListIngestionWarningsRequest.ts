// From proto/sluice/v1/ingestion_warnings.proto


export interface ListIngestionWarningsRequest {
  'project_id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListIngestionWarningsRequest__Output {
  'project_id': (string);
  'limit': (number);
  'offset': (number);
}
