// From proto/sluice/v1/directory.proto

import type { Long } from '@grpc/proto-loader';

export interface ConfirmNewsRequest {
  'to'?: (string);
  'member_id'?: (string);
  'told'?: (number | string | Long);
}

export interface ConfirmNewsRequest__Output {
  'to': (string);
  'member_id': (string);
  'told': (number);
}
