// From proto/sluice/v1/deletions.proto

import type { Long } from '@grpc/proto-loader';

export interface Deletion {
  'id'?: (string);
  'kind'?: (string);
  'state'?: (string);
  'person_uuid'?: (string);
  'delete_events'?: (boolean);
  'filters'?: (string);
  'cutoff'?: (string);
  'total'?: (number | string | Long);
  'deleted'?: (number | string | Long);
  'error'?: (string);
  'created_by'?: (number);
  'created_at'?: (string);
  'finished_at'?: (string);
  'backups_hold_until'?: (string);
  '_id'?: "id";
  '_person_uuid'?: "person_uuid";
  '_cutoff'?: "cutoff";
  '_total'?: "total";
  '_error'?: "error";
  '_created_by'?: "created_by";
  '_created_at'?: "created_at";
  '_finished_at'?: "finished_at";
  '_backups_hold_until'?: "backups_hold_until";
}

export interface Deletion__Output {
  'id'?: (string);
  'kind': (string);
  'state': (string);
  'person_uuid'?: (string);
  'delete_events': (boolean);
  'filters': (string);
  'cutoff'?: (string);
  'total'?: (number);
  'deleted': (number);
  'error'?: (string);
  'created_by'?: (number);
  'created_at'?: (string);
  'finished_at'?: (string);
  'backups_hold_until'?: (string);
}
