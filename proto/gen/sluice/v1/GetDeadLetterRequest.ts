// From proto/sluice/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface GetDeadLetterRequest {
  'id'?: (number | string | Long);
}

export interface GetDeadLetterRequest__Output {
  'id': (number);
}
