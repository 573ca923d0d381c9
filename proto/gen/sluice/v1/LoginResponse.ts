// From proto/sluice/v1/login.proto

import type { Session as _sluice_v1_Session, Session__Output as _sluice_v1_Session__Output } from '../../sluice/v1/Session.ts';

export interface LoginResponse {
  'session'?: (_sluice_v1_Session | null);
  'session_token'?: (string);
  'browser_token'?: (string);
}

export interface LoginResponse__Output {
  'session': (_sluice_v1_Session__Output | null);
  'session_token': (string);
  'browser_token': (string);
}
