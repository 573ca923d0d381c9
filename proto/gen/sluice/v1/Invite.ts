// From proto/sluice/v1/invites.proto

import type { UserSummary as _sluice_v1_UserSummary, UserSummary__Output as _sluice_v1_UserSummary__Output } from '../../sluice/v1/UserSummary.ts';

export interface Invite {
  'id'?: (string);
  'target_email'?: (string);
  'first_name'?: (string);
  'emailing_attempt_made'?: (boolean);
  'is_expired'?: (boolean);
  'created_by'?: (_sluice_v1_UserSummary | null);
  'created_at'?: (string);
  'updated_at'?: (string);
  'message'?: (string);
  'token'?: (string);
  '_created_by'?: "created_by";
  '_message'?: "message";
  '_token'?: "token";
}

export interface Invite__Output {
  'id': (string);
  'target_email': (string);
  'first_name': (string);
  'emailing_attempt_made': (boolean);
  'is_expired': (boolean);
  'created_by'?: (_sluice_v1_UserSummary__Output | null);
  'created_at': (string);
  'updated_at': (string);
  'message'?: (string);
  'token'?: (string);
}
