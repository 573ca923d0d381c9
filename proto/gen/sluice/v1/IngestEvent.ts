// From proto/sluice/v1/ingest.proto

import type { MergeKind as _sluice_v1_MergeKind, MergeKind__Output as _sluice_v1_MergeKind__Output } from '../../sluice/v1/MergeKind.ts';
import type { GroupRef as _sluice_v1_GroupRef, GroupRef__Output as _sluice_v1_GroupRef__Output } from '../../sluice/v1/GroupRef.ts';
import type { GroupChange as _sluice_v1_GroupChange, GroupChange__Output as _sluice_v1_GroupChange__Output } from '../../sluice/v1/GroupChange.ts';

export interface IngestEvent {
  'uuid'?: (string);
  'event'?: (string);
  'distinct_id'?: (string);
  'timestamp'?: (string);
  'properties'?: (string);
  'elements_chain'?: (string);
  'no_profile'?: (boolean);
  'set_once'?: (string);
  'set'?: (string);
  'unset'?: (string)[];
  'merge'?: (_sluice_v1_MergeKind);
  'merge_distinct_id'?: (string);
  'groups'?: (_sluice_v1_GroupRef)[];
  'group_change'?: (_sluice_v1_GroupChange | null);
  'volatile'?: (string);
}

export interface IngestEvent__Output {
  'uuid': (string);
  'event': (string);
  'distinct_id': (string);
  'timestamp': (string);
  'properties': (string);
  'elements_chain': (string);
  'no_profile': (boolean);
  'set_once': (string);
  'set': (string);
  'unset': (string)[];
  'merge': (_sluice_v1_MergeKind__Output);
  'merge_distinct_id': (string);
  'groups': (_sluice_v1_GroupRef__Output)[];
  'group_change': (_sluice_v1_GroupChange__Output | null);
  'volatile': (string);
}
