// From proto/sluice/v1/persons.proto

import type { Person as _sluice_v1_Person, Person__Output as _sluice_v1_Person__Output } from '../../sluice/v1/Person.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListPersonsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_Person)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListPersonsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_Person__Output)[];
}
