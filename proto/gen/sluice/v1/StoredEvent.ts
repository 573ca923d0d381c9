// From proto/sluice/v1/events.proto


export interface StoredEvent {
  'id'?: (string);
  'distinct_id'?: (string);
  'properties'?: (string);
  'event'?: (string);
  'timestamp'?: (string);
  'person'?: (string);
  'elements'?: (string);
  'elements_chain'?: (string);
  '_person'?: "person";
}

export interface StoredEvent__Output {
  'id': (string);
  'distinct_id': (string);
  'properties': (string);
  'event': (string);
  'timestamp': (string);
  'person'?: (string);
  'elements': (string);
  'elements_chain': (string);
}
