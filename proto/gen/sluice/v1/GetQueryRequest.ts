// From proto/sluice/v1/insights.proto


export interface GetQueryRequest {
  'project_id'?: (string);
  'client_query_id'?: (string);
}

export interface GetQueryRequest__Output {
  'project_id': (string);
  'client_query_id': (string);
}
