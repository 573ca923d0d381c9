// From proto/sluice/v1/saved_insights.proto


export interface GetSavedInsightRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface GetSavedInsightRequest__Output {
  'project_id': (string);
  'id': (string);
}
