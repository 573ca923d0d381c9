// From proto/sluice/v1/users.proto

import type { UserListItem as _sluice_v1_UserListItem, UserListItem__Output as _sluice_v1_UserListItem__Output } from '../../sluice/v1/UserListItem.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListUsersResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_UserListItem)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListUsersResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_UserListItem__Output)[];
}
