// From proto/sluice/v1/insights.proto


export interface RunQueryResponse {
  'answer'?: (string);
  'is_running'?: (boolean);
}

export interface RunQueryResponse__Output {
  'answer': (string);
  'is_running': (boolean);
}
