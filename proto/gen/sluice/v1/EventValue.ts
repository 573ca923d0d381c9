// From proto/sluice/v1/events.proto


export interface EventValue {
  'name'?: (string);
}

export interface EventValue__Output {
  'name': (string);
}
