// From proto/sluice/v1/cluster.proto


export interface ReleaseShardsResponse {
  'released'?: (number)[];
}

export interface ReleaseShardsResponse__Output {
  'released': (number)[];
}
