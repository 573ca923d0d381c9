// From proto/sluice/v1/cluster.proto


export interface WatchStoredRequest {
  'project_id'?: (number);
  'event'?: (string);
  'distinct_id'?: (string);
  'sifts'?: (boolean);
  '_event'?: "event";
  '_distinct_id'?: "distinct_id";
}

export interface WatchStoredRequest__Output {
  'project_id': (number);
  'event'?: (string);
  'distinct_id'?: (string);
  'sifts': (boolean);
}
