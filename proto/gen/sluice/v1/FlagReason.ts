// From proto/sluice/v1/flag_evaluation.proto


export interface FlagReason {
  'code'?: (string);
  'condition_index'?: (number);
  'description'?: (string);
  '_condition_index'?: "condition_index";
}

export interface FlagReason__Output {
  'code': (string);
  'condition_index'?: (number);
  'description': (string);
}
