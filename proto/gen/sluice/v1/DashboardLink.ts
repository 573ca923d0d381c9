// From proto/sluice/v1/cohorts.proto


export interface DashboardLink {
  'id'?: (number);
  'name'?: (string);
}

export interface DashboardLink__Output {
  'id': (number);
  'name': (string);
}
