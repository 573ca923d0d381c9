// From proto/sluice/v1/events.proto


export interface ListEventValuesRequest {
  'project_id'?: (string);
  'key'?: (string);
  'value'?: (string);
  'event_name'?: (string)[];
  '_key'?: "key";
  '_value'?: "value";
}

export interface ListEventValuesRequest__Output {
  'project_id': (string);
  'key'?: (string);
  'value'?: (string);
  'event_name': (string)[];
}
