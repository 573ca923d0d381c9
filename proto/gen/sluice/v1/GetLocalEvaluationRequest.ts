// From proto/sluice/v1/feature_flags.proto


export interface GetLocalEvaluationRequest {
  'project_id'?: (string);
  'send_cohorts'?: (string);
  '_send_cohorts'?: "send_cohorts";
}

export interface GetLocalEvaluationRequest__Output {
  'project_id': (string);
  'send_cohorts'?: (string);
}
