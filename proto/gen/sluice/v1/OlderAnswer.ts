// From proto/sluice/v1/older_insights.proto


export interface OlderAnswer {
  'answer'?: (string);
}

export interface OlderAnswer__Output {
  'answer': (string);
}
