// From proto/sluice/v1/admin.proto


export interface FillCopyResponse {
  'months'?: (string)[];
}

export interface FillCopyResponse__Output {
  'months': (string)[];
}
