// From proto/sluice/v1/decide.proto

import type { Long } from '@grpc/proto-loader';

export interface DecideAnswer {
  'code'?: (string);
  'retry_after_s'?: (number);
  'revision'?: (number | string | Long);
  'members'?: (string);
  'depends_on_stored'?: (boolean);
  'volatile'?: (boolean);
}

export interface DecideAnswer__Output {
  'code': (string);
  'retry_after_s': (number);
  'revision': (number);
  'members': (string);
  'depends_on_stored': (boolean);
  'volatile': (boolean);
}
