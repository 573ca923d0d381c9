// From proto/sluice/v1/insights.proto


export interface GetQueryResponse {
  'status'?: (string);
}

export interface GetQueryResponse__Output {
  'status': (string);
}
