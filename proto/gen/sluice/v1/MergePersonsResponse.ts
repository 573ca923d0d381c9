// From proto/sluice/v1/persons.proto

import type { Person as _sluice_v1_Person, Person__Output as _sluice_v1_Person__Output } from '../../sluice/v1/Person.ts';

export interface MergePersonsResponse {
  'person'?: (_sluice_v1_Person | null);
  'merged'?: (string)[];
  'attached'?: (string)[];
  'dry_run'?: (boolean);
}

export interface MergePersonsResponse__Output {
  'person': (_sluice_v1_Person__Output | null);
  'merged': (string)[];
  'attached': (string)[];
  'dry_run': (boolean);
}
