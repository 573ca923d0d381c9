// From proto/sluice/v1/events.proto


export interface GetEventRequest {
  'project_id'?: (string);
  'id'?: (string);
  'include_person'?: (string);
  'shape'?: (string);
  '_include_person'?: "include_person";
  '_shape'?: "shape";
}

export interface GetEventRequest__Output {
  'project_id': (string);
  'id': (string);
  'include_person'?: (string);
  'shape'?: (string);
}
