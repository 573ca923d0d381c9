// From proto/sluice/v1/cohorts.proto


export interface ListCohortsRequest {
  'project_id'?: (string);
  'limit'?: (number);
  'offset'?: (number);
  'search'?: (string);
  'basic'?: (boolean);
  '_search'?: "search";
  '_basic'?: "basic";
}

export interface ListCohortsRequest__Output {
  'project_id': (string);
  'limit': (number);
  'offset': (number);
  'search'?: (string);
  'basic'?: (boolean);
}
