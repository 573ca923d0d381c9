// From proto/sluice/v1/admin.proto


export interface ListInstanceActivityRequest {
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListInstanceActivityRequest__Output {
  'limit': (number);
  'offset': (number);
}
