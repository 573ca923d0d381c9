// From proto/sluice/v1/members.proto

import type { UserSummary as _sluice_v1_UserSummary, UserSummary__Output as _sluice_v1_UserSummary__Output } from '../../sluice/v1/UserSummary.ts';

export interface OrganizationMember {
  'id'?: (string);
  'user'?: (_sluice_v1_UserSummary | null);
  'level'?: (number);
  'joined_at'?: (string);
  'updated_at'?: (string);
  'is_active'?: (boolean);
  'is_email_verified'?: (boolean);
}

export interface OrganizationMember__Output {
  'id': (string);
  'user': (_sluice_v1_UserSummary__Output | null);
  'level': (number);
  'joined_at': (string);
  'updated_at': (string);
  'is_active': (boolean);
  'is_email_verified': (boolean);
}
