// From proto/sluice/v1/admin.proto


export interface CopyGap {
  'month'?: (string);
  'reason'?: (string);
  'asked'?: (boolean);
}

export interface CopyGap__Output {
  'month': (string);
  'reason': (string);
  'asked': (boolean);
}
