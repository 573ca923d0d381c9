// From proto/sluice/v1/event_definitions.proto


export interface GetEventDefinitionRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface GetEventDefinitionRequest__Output {
  'project_id': (string);
  'id': (string);
}
