// From proto/sluice/v1/admin.proto


export interface WarnedCohort {
  'project_id'?: (number);
  'id'?: (number);
  'name'?: (string);
}

export interface WarnedCohort__Output {
  'project_id': (number);
  'id': (number);
  'name': (string);
}
