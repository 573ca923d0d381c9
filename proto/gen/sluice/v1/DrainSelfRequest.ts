// From proto/sluice/v1/cluster.proto


export interface DrainSelfRequest {
  'to'?: (string);
}

export interface DrainSelfRequest__Output {
  'to': (string);
}
