// From proto/sluice/v1/login.proto

import type { UserSession as _sluice_v1_UserSession, UserSession__Output as _sluice_v1_UserSession__Output } from '../../sluice/v1/UserSession.ts';

export interface ListSessionsResponse {
  'results'?: (_sluice_v1_UserSession)[];
}

export interface ListSessionsResponse__Output {
  'results': (_sluice_v1_UserSession__Output)[];
}
