// From proto/sluice/v1/admin.proto


export interface DrainRequest {
  'node'?: (string);
}

export interface DrainRequest__Output {
  'node': (string);
}
