// From proto/sluice/v1/ingest.proto


export interface GroupRef {
  'type'?: (string);
  'key'?: (string);
}

export interface GroupRef__Output {
  'type': (string);
  'key': (string);
}
