// From proto/sluice/v1/personal_api_keys.proto

import type { PersonalApiKey as _sluice_v1_PersonalApiKey, PersonalApiKey__Output as _sluice_v1_PersonalApiKey__Output } from '../../sluice/v1/PersonalApiKey.ts';

export interface ListPersonalApiKeysResponse {
  'results'?: (_sluice_v1_PersonalApiKey)[];
}

export interface ListPersonalApiKeysResponse__Output {
  'results': (_sluice_v1_PersonalApiKey__Output)[];
}
