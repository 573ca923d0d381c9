// From proto/sluice/v1/live.proto


export interface LiveEvent {
  'id'?: (string);
  'event'?: (string);
  'distinct_id'?: (string);
  'timestamp'?: (string);
  'stored_at'?: (string);
  'properties'?: (string);
  'elements_chain'?: (string);
  'truncated'?: (boolean);
}

export interface LiveEvent__Output {
  'id': (string);
  'event': (string);
  'distinct_id': (string);
  'timestamp': (string);
  'stored_at': (string);
  'properties': (string);
  'elements_chain': (string);
  'truncated': (boolean);
}
