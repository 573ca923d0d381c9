// From proto/sluice/v1/users.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';
import type { UserTeam as _sluice_v1_UserTeam, UserTeam__Output as _sluice_v1_UserTeam__Output } from '../../sluice/v1/UserTeam.ts';
import type { Organization as _sluice_v1_Organization, Organization__Output as _sluice_v1_Organization__Output } from '../../sluice/v1/Organization.ts';
import type { UserOrganization as _sluice_v1_UserOrganization, UserOrganization__Output as _sluice_v1_UserOrganization__Output } from '../../sluice/v1/UserOrganization.ts';

export interface User {
  'id'?: (number);
  'uuid'?: (string);
  'distinct_id'?: (string);
  'first_name'?: (string);
  'email'?: (string);
  'date_joined'?: (string);
  'email_opt_in'?: (boolean);
  'anonymize_data'?: (boolean);
  'toolbar_mode'?: (string);
  'notification_settings'?: (_google_protobuf_Value | null);
  'events_column_config'?: (_google_protobuf_Value | null);
  'has_password'?: (boolean);
  'is_staff'?: (boolean);
  'is_impersonated'?: (boolean);
  'team'?: (_sluice_v1_UserTeam | null);
  'organization'?: (_sluice_v1_Organization | null);
  'organizations'?: (_sluice_v1_UserOrganization)[];
  'service_version'?: (string);
  'is_active'?: (boolean);
  'is_email_verified'?: (boolean);
  'pending_email'?: (string);
  '_pending_email'?: "pending_email";
}

export interface User__Output {
  'id': (number);
  'uuid': (string);
  'distinct_id': (string);
  'first_name': (string);
  'email': (string);
  'date_joined': (string);
  'email_opt_in': (boolean);
  'anonymize_data': (boolean);
  'toolbar_mode': (string);
  'notification_settings': (_google_protobuf_Value__Output | null);
  'events_column_config': (_google_protobuf_Value__Output | null);
  'has_password': (boolean);
  'is_staff': (boolean);
  'is_impersonated': (boolean);
  'team': (_sluice_v1_UserTeam__Output | null);
  'organization': (_sluice_v1_Organization__Output | null);
  'organizations': (_sluice_v1_UserOrganization__Output)[];
  'service_version': (string);
  'is_active': (boolean);
  'is_email_verified': (boolean);
  'pending_email'?: (string);
}
