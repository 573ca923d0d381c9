// From proto/sluice/v1/cohorts.proto


export interface GetCohortRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface GetCohortRequest__Output {
  'project_id': (string);
  'id': (string);
}
