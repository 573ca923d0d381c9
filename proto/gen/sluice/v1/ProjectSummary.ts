// From proto/sluice/v1/projects.proto


export interface ProjectSummary {
  'id'?: (number);
  'uuid'?: (string);
  'organization'?: (string);
  'api_token'?: (string);
  'name'?: (string);
  'completed_snippet_onboarding'?: (boolean);
  'ingested_event'?: (boolean);
  'is_demo'?: (boolean);
  'timezone'?: (string);
  'access_control'?: (boolean);
  'effective_membership_level'?: (number);
  '_effective_membership_level'?: "effective_membership_level";
}

export interface ProjectSummary__Output {
  'id': (number);
  'uuid': (string);
  'organization': (string);
  'api_token': (string);
  'name': (string);
  'completed_snippet_onboarding': (boolean);
  'ingested_event': (boolean);
  'is_demo': (boolean);
  'timezone': (string);
  'access_control': (boolean);
  'effective_membership_level'?: (number);
}
