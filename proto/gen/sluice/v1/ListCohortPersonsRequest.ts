// From proto/sluice/v1/cohorts.proto


export interface ListCohortPersonsRequest {
  'project_id'?: (string);
  'id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListCohortPersonsRequest__Output {
  'project_id': (string);
  'id': (string);
  'limit': (number);
  'offset': (number);
}
