// From proto/sluice/v1/cohorts.proto


export interface InsightLink {
  'short_id'?: (string);
  'name'?: (string);
}

export interface InsightLink__Output {
  'short_id': (string);
  'name': (string);
}
