// From proto/sluice/v1/admin.proto


export interface MoveMonthRequest {
  'month'?: (string);
}

export interface MoveMonthRequest__Output {
  'month': (string);
}
