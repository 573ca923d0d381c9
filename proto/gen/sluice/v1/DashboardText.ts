// From proto/sluice/v1/dashboards.proto


export interface DashboardText {
  'body'?: (string);
}

export interface DashboardText__Output {
  'body': (string);
}
