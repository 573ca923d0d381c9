// From proto/sluice/v1/saved_insights.proto


export interface ListSavedInsightsRequest {
  'project_id'?: (string);
  'search'?: (string);
  'order'?: (string);
  'short_id'?: (string);
  'favorited'?: (boolean);
  'limit'?: (number);
  'offset'?: (number);
  '_search'?: "search";
  '_order'?: "order";
  '_short_id'?: "short_id";
  '_favorited'?: "favorited";
}

export interface ListSavedInsightsRequest__Output {
  'project_id': (string);
  'search'?: (string);
  'order'?: (string);
  'short_id'?: (string);
  'favorited'?: (boolean);
  'limit': (number);
  'offset': (number);
}
