// From proto/sluice/v1/admin.proto

import type { UserPlace as _sluice_v1_UserPlace, UserPlace__Output as _sluice_v1_UserPlace__Output } from '../../sluice/v1/UserPlace.ts';
import type { UserKey as _sluice_v1_UserKey, UserKey__Output as _sluice_v1_UserKey__Output } from '../../sluice/v1/UserKey.ts';

export interface UserDetails {
  'user_id'?: (number);
  'user_uuid'?: (string);
  'email'?: (string);
  'first_name'?: (string);
  'is_active'?: (boolean);
  'is_staff'?: (boolean);
  'is_email_verified'?: (boolean);
  'pending_email'?: (string);
  'date_joined'?: (string);
  'organizations'?: (_sluice_v1_UserPlace)[];
  'personal_api_keys'?: (_sluice_v1_UserKey)[];
  '_pending_email'?: "pending_email";
}

export interface UserDetails__Output {
  'user_id': (number);
  'user_uuid': (string);
  'email': (string);
  'first_name': (string);
  'is_active': (boolean);
  'is_staff': (boolean);
  'is_email_verified': (boolean);
  'pending_email'?: (string);
  'date_joined': (string);
  'organizations': (_sluice_v1_UserPlace__Output)[];
  'personal_api_keys': (_sluice_v1_UserKey__Output)[];
}
