// From proto/sluice/v1/users.proto


export interface ListUsersRequest {
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListUsersRequest__Output {
  'limit': (number);
  'offset': (number);
}
