// From proto/sluice/v1/cohorts.proto


export interface ListPersonCohortsRequest {
  'project_id'?: (string);
  'id'?: (string);
  'by'?: (string);
  '_by'?: "by";
}

export interface ListPersonCohortsRequest__Output {
  'project_id': (string);
  'id': (string);
  'by'?: (string);
}
