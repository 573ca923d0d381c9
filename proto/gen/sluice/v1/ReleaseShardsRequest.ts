// From proto/sluice/v1/cluster.proto


export interface ReleaseShardsRequest {
  'from'?: (string);
  'to'?: (string);
  'shards'?: (number)[];
}

export interface ReleaseShardsRequest__Output {
  'from': (string);
  'to': (string);
  'shards': (number)[];
}
