// From proto/sluice/v1/cluster.proto


export interface GetMemberRequest {
  'to'?: (string);
}

export interface GetMemberRequest__Output {
  'to': (string);
}
