// From proto/sluice/v1/admin.proto

import type { UserKey as _sluice_v1_UserKey, UserKey__Output as _sluice_v1_UserKey__Output } from '../../sluice/v1/UserKey.ts';

export interface CreateKeyResponse {
  'key'?: (_sluice_v1_UserKey | null);
  'personal_api_key'?: (string);
}

export interface CreateKeyResponse__Output {
  'key': (_sluice_v1_UserKey__Output | null);
  'personal_api_key': (string);
}
