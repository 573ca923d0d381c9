// From proto/sluice/v1/dashboards.proto


export interface GetDashboardRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface GetDashboardRequest__Output {
  'project_id': (string);
  'id': (string);
}
