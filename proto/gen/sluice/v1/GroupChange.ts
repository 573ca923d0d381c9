// From proto/sluice/v1/ingest.proto


export interface GroupChange {
  'type'?: (string);
  'key'?: (string);
  'set'?: (string);
}

export interface GroupChange__Output {
  'type': (string);
  'key': (string);
  'set': (string);
}
