// From proto/sluice/v1/dashboards.proto


export interface ListDashboardsRequest {
  'project_id'?: (string);
  'search'?: (string);
  'order'?: (string);
  'limit'?: (number);
  'offset'?: (number);
  '_search'?: "search";
  '_order'?: "order";
}

export interface ListDashboardsRequest__Output {
  'project_id': (string);
  'search'?: (string);
  'order'?: (string);
  'limit': (number);
  'offset': (number);
}
