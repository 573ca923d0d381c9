// From proto/sluice/v1/directory.proto

import type { ProjectRevision as _sluice_v1_ProjectRevision, ProjectRevision__Output as _sluice_v1_ProjectRevision__Output } from '../../sluice/v1/ProjectRevision.ts';
import type { Long } from '@grpc/proto-loader';

export interface ProjectNews {
  'changed'?: (_sluice_v1_ProjectRevision)[];
  'keys_changed'?: (boolean);
  'member_id'?: (string);
  'owned_shards'?: (Buffer | Uint8Array | string);
  'cache_generation'?: (string);
  'told'?: (number | string | Long);
}

export interface ProjectNews__Output {
  'changed': (_sluice_v1_ProjectRevision__Output)[];
  'keys_changed': (boolean);
  'member_id': (string);
  'owned_shards': (Buffer);
  'cache_generation': (string);
  'told': (number);
}
