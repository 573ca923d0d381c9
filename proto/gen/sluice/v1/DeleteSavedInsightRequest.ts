// From proto/sluice/v1/saved_insights.proto


export interface DeleteSavedInsightRequest {
  'project_id'?: (string);
  'id'?: (string);
}

export interface DeleteSavedInsightRequest__Output {
  'project_id': (string);
  'id': (string);
}
