// From proto/sluice/v1/live.proto


export interface WatchEventsRequest {
  'project_id'?: (string);
  'event'?: (string);
  'distinct_id'?: (string);
  'where'?: (string)[];
  'properties'?: (string);
  '_event'?: "event";
  '_distinct_id'?: "distinct_id";
  '_properties'?: "properties";
}

export interface WatchEventsRequest__Output {
  'project_id': (string);
  'event'?: (string);
  'distinct_id'?: (string);
  'where': (string)[];
  'properties'?: (string);
}
