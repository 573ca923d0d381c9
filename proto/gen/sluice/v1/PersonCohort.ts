// From proto/sluice/v1/cohorts.proto


export interface PersonCohort {
  'id'?: (number);
  'name'?: (string);
  'is_static'?: (boolean);
}

export interface PersonCohort__Output {
  'id': (number);
  'name': (string);
  'is_static': (boolean);
}
