// From proto/sluice/v1/persons.proto

import type { Long } from '@grpc/proto-loader';

export interface Person {
  'id'?: (number | string | Long);
  'uuid'?: (string);
  'name'?: (string);
  'distinct_ids'?: (string)[];
  'distinct_id_count'?: (number | string | Long);
  'properties'?: (string);
  'is_identified'?: (boolean);
  'created_at'?: (string);
}

export interface Person__Output {
  'id': (number);
  'uuid': (string);
  'name': (string);
  'distinct_ids': (string)[];
  'distinct_id_count': (number);
  'properties': (string);
  'is_identified': (boolean);
  'created_at': (string);
}
