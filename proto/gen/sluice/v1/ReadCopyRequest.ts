// From proto/sluice/v1/admin.proto


export interface ReadCopyRequest {
  'store'?: (string);
}

export interface ReadCopyRequest__Output {
  'store': (string);
}
