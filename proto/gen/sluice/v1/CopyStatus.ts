// From proto/sluice/v1/admin.proto

import type { CopyGap as _sluice_v1_CopyGap, CopyGap__Output as _sluice_v1_CopyGap__Output } from '../../sluice/v1/CopyGap.ts';
import type { Long } from '@grpc/proto-loader';

export interface CopyStatus {
  'configured'?: (boolean);
  'state'?: (string);
  'problem'?: (string);
  'holder'?: (string);
  'blocks'?: (number | string | Long);
  'waiting_events'?: (number | string | Long);
  'waiting_flushes'?: (number | string | Long);
  'waiting_bytes'?: (number | string | Long);
  'lag_ms'?: (number | string);
  'gaps'?: (_sluice_v1_CopyGap)[];
  'months'?: (string)[];
  'columns'?: (string)[];
  'parts'?: (number | string | Long);
  'parts_most'?: (number | string | Long);
  'ledger_months'?: (string)[];
  'full'?: (boolean);
  'home'?: (string);
}

export interface CopyStatus__Output {
  'configured': (boolean);
  'state': (string);
  'problem': (string);
  'holder': (string);
  'blocks': (number);
  'waiting_events': (number);
  'waiting_flushes': (number);
  'waiting_bytes': (number);
  'lag_ms': (number);
  'gaps': (_sluice_v1_CopyGap__Output)[];
  'months': (string)[];
  'columns': (string)[];
  'parts': (number);
  'parts_most': (number);
  'ledger_months': (string)[];
  'full': (boolean);
  'home': (string);
}
