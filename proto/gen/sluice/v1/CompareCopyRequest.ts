// From proto/sluice/v1/admin.proto


export interface CompareCopyRequest {
  'month'?: (string);
}

export interface CompareCopyRequest__Output {
  'month': (string);
}
