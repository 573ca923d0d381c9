// From proto/sluice/v1/activity.proto

import type { ActivityChange as _sluice_v1_ActivityChange, ActivityChange__Output as _sluice_v1_ActivityChange__Output } from '../../sluice/v1/ActivityChange.ts';

export interface ActivityDetail {
  'name'?: (string);
  'version'?: (number);
  'changes'?: (_sluice_v1_ActivityChange)[];
  '_name'?: "name";
  '_version'?: "version";
}

export interface ActivityDetail__Output {
  'name'?: (string);
  'version'?: (number);
  'changes': (_sluice_v1_ActivityChange__Output)[];
}
