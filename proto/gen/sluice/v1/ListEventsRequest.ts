// From proto/sluice/v1/events.proto


export interface ListEventsRequest {
  'project_id'?: (string);
  'after'?: (string);
  'before'?: (string);
  'event'?: (string);
  'distinct_id'?: (string);
  'person_id'?: (string);
  'properties'?: (string);
  'order_by'?: (string);
  'limit'?: (number);
  'offset'?: (number);
  'select'?: (string)[];
  'where'?: (string)[];
  'shape'?: (string);
  '_event'?: "event";
  '_distinct_id'?: "distinct_id";
  '_person_id'?: "person_id";
  '_shape'?: "shape";
}

export interface ListEventsRequest__Output {
  'project_id': (string);
  'after': (string);
  'before': (string);
  'event'?: (string);
  'distinct_id'?: (string);
  'person_id'?: (string);
  'properties': (string);
  'order_by': (string);
  'limit': (number);
  'offset': (number);
  'select': (string)[];
  'where': (string)[];
  'shape'?: (string);
}
