// From proto/sluice/v1/admin.proto

import type { WriterStatus as _sluice_v1_WriterStatus, WriterStatus__Output as _sluice_v1_WriterStatus__Output } from '../../sluice/v1/WriterStatus.ts';
import type { Long } from '@grpc/proto-loader';

export interface Member {
  'id'?: (string);
  'address'?: (string);
  'role'?: (string);
  'state'?: (string);
  'shards'?: (number);
  'version'?: (string);
  'answered'?: (boolean);
  'writer'?: (_sluice_v1_WriterStatus | null);
  'activations'?: (number);
  'events_per_second'?: (number | string);
  'decides_per_second'?: (number | string);
  'breaker'?: (string);
  'view_version'?: (number | string | Long);
  'host'?: (string);
  'pid'?: (number);
  'started_at'?: (string);
}

export interface Member__Output {
  'id': (string);
  'address': (string);
  'role': (string);
  'state': (string);
  'shards': (number);
  'version': (string);
  'answered': (boolean);
  'writer': (_sluice_v1_WriterStatus__Output | null);
  'activations': (number);
  'events_per_second': (number);
  'decides_per_second': (number);
  'breaker': (string);
  'view_version': (number);
  'host': (string);
  'pid': (number);
  'started_at': (string);
}
