// From proto/sluice/v1/admin.proto

import type { Member as _sluice_v1_Member, Member__Output as _sluice_v1_Member__Output } from '../../sluice/v1/Member.ts';
import type { WriterStatus as _sluice_v1_WriterStatus, WriterStatus__Output as _sluice_v1_WriterStatus__Output } from '../../sluice/v1/WriterStatus.ts';
import type { SpillStatus as _sluice_v1_SpillStatus, SpillStatus__Output as _sluice_v1_SpillStatus__Output } from '../../sluice/v1/SpillStatus.ts';
import type { ShardStatus as _sluice_v1_ShardStatus, ShardStatus__Output as _sluice_v1_ShardStatus__Output } from '../../sluice/v1/ShardStatus.ts';
import type { DroppedCount as _sluice_v1_DroppedCount, DroppedCount__Output as _sluice_v1_DroppedCount__Output } from '../../sluice/v1/DroppedCount.ts';
import type { RefusedKeys as _sluice_v1_RefusedKeys, RefusedKeys__Output as _sluice_v1_RefusedKeys__Output } from '../../sluice/v1/RefusedKeys.ts';
import type { WarnedFlags as _sluice_v1_WarnedFlags, WarnedFlags__Output as _sluice_v1_WarnedFlags__Output } from '../../sluice/v1/WarnedFlags.ts';
import type { WarnedCohorts as _sluice_v1_WarnedCohorts, WarnedCohorts__Output as _sluice_v1_WarnedCohorts__Output } from '../../sluice/v1/WarnedCohorts.ts';
import type { Long } from '@grpc/proto-loader';

export interface GetStatusResponse {
  'version'?: (string);
  'cluster_name'?: (string);
  'members'?: (_sluice_v1_Member)[];
  'writer'?: (_sluice_v1_WriterStatus | null);
  'activations'?: (number);
  'dead_letters'?: (number | string | Long);
  'database'?: (string);
  'spill'?: (_sluice_v1_SpillStatus | null);
  'membership'?: (string);
  'redis'?: (string);
  'view_version'?: (number | string | Long);
  'shards'?: (_sluice_v1_ShardStatus)[];
  'problems'?: (string)[];
  'dropped'?: (_sluice_v1_DroppedCount)[];
  'dropped_others'?: (number | string | Long);
  'dropped_since'?: (string);
  'refused_keys'?: (_sluice_v1_RefusedKeys | null);
  'warned_flags'?: (_sluice_v1_WarnedFlags | null);
  'warned_cohorts'?: (_sluice_v1_WarnedCohorts | null);
}

export interface GetStatusResponse__Output {
  'version': (string);
  'cluster_name': (string);
  'members': (_sluice_v1_Member__Output)[];
  'writer': (_sluice_v1_WriterStatus__Output | null);
  'activations': (number);
  'dead_letters': (number);
  'database': (string);
  'spill': (_sluice_v1_SpillStatus__Output | null);
  'membership': (string);
  'redis': (string);
  'view_version': (number);
  'shards': (_sluice_v1_ShardStatus__Output)[];
  'problems': (string)[];
  'dropped': (_sluice_v1_DroppedCount__Output)[];
  'dropped_others': (number);
  'dropped_since': (string);
  'refused_keys': (_sluice_v1_RefusedKeys__Output | null);
  'warned_flags': (_sluice_v1_WarnedFlags__Output | null);
  'warned_cohorts': (_sluice_v1_WarnedCohorts__Output | null);
}
