// From proto/sluice/v1/cohorts.proto


export interface ListCohortUsesRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface ListCohortUsesRequest__Output {
  'project_id': (string);
  'id': (string);
}
