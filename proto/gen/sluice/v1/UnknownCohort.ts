// From proto/sluice/v1/cohorts.proto


export interface UnknownCohort {
  'id'?: (number);
  'name'?: (string);
  'reason'?: (string);
}

export interface UnknownCohort__Output {
  'id': (number);
  'name': (string);
  'reason': (string);
}
