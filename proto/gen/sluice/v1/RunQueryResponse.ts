// From proto/sluice/v1/insights.proto


export interface RunQueryResponse {
  'answer'?: (string);
}

export interface RunQueryResponse__Output {
  'answer': (string);
}
