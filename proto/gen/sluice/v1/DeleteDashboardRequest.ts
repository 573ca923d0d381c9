// From proto/sluice/v1/dashboards.proto


export interface DeleteDashboardRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface DeleteDashboardRequest__Output {
  'project_id': (string);
  'id': (string);
}
