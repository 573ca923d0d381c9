// From proto/sluice/v1/persons.proto


export interface ListPersonsRequest {
  'project_id'?: (string);
  'search'?: (string);
  'distinct_id'?: (string);
  'email'?: (string);
  'properties'?: (string);
  'limit'?: (number);
  'offset'?: (number);
  '_search'?: "search";
  '_distinct_id'?: "distinct_id";
  '_email'?: "email";
}

export interface ListPersonsRequest__Output {
  'project_id': (string);
  'search'?: (string);
  'distinct_id'?: (string);
  'email'?: (string);
  'properties': (string);
  'limit': (number);
  'offset': (number);
}
