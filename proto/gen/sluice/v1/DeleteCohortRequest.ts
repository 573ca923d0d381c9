// From proto/sluice/v1/cohorts.proto


export interface DeleteCohortRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface DeleteCohortRequest__Output {
  'project_id': (string);
  'id': (string);
}
