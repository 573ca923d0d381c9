// From proto/sluice/v1/insights.proto


export interface CancelQueryRequest {
  'project_id'?: (string);
  'client_query_id'?: (string);
}

export interface CancelQueryRequest__Output {
  'project_id': (string);
  'client_query_id': (string);
}
