// From proto/sluice/v1/event_definitions.proto


export interface ListEventDefinitionsRequest {
  'project_id'?: (string);
  'search'?: (string);
  'ordering'?: (string);
  'event_type'?: (string);
  'limit'?: (number);
  'offset'?: (number);
  '_search'?: "search";
  '_ordering'?: "ordering";
  '_event_type'?: "event_type";
}

export interface ListEventDefinitionsRequest__Output {
  'project_id': (string);
  'search'?: (string);
  'ordering'?: (string);
  'event_type'?: (string);
  'limit': (number);
  'offset': (number);
}
