// From proto/sluice/v1/admin.proto


export interface FillCopyRequest {
  'months'?: (string)[];
}

export interface FillCopyRequest__Output {
  'months': (string)[];
}
