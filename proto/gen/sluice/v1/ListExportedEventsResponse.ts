// From proto/sluice/v1/events.proto


export interface ListExportedEventsResponse {
  'columns'?: (string)[];
  'rows'?: (string)[];
  'cursor'?: (string);
  'start'?: (string);
  'is_table'?: (boolean);
}

export interface ListExportedEventsResponse__Output {
  'columns': (string)[];
  'rows': (string)[];
  'cursor': (string);
  'start': (string);
  'is_table': (boolean);
}
