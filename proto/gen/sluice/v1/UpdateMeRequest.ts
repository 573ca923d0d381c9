// From proto/sluice/v1/users.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface UpdateMeRequest {
  'first_name'?: (string);
  'email'?: (string);
  'email_opt_in'?: (boolean);
  'anonymize_data'?: (boolean);
  'toolbar_mode'?: (string);
  'events_column_config'?: (_google_protobuf_Value | null);
  'notification_settings'?: (_google_protobuf_Value | null);
  'set_current_team'?: (string);
  'set_current_organization'?: (string);
  'is_staff'?: (boolean);
  'password'?: (string);
  'current_password'?: (string);
  'null_fields'?: (string)[];
  '_first_name'?: "first_name";
  '_email'?: "email";
  '_email_opt_in'?: "email_opt_in";
  '_anonymize_data'?: "anonymize_data";
  '_toolbar_mode'?: "toolbar_mode";
  '_set_current_team'?: "set_current_team";
  '_set_current_organization'?: "set_current_organization";
  '_is_staff'?: "is_staff";
  '_password'?: "password";
  '_current_password'?: "current_password";
}

export interface UpdateMeRequest__Output {
  'first_name'?: (string);
  'email'?: (string);
  'email_opt_in'?: (boolean);
  'anonymize_data'?: (boolean);
  'toolbar_mode'?: (string);
  'events_column_config': (_google_protobuf_Value__Output | null);
  'notification_settings': (_google_protobuf_Value__Output | null);
  'set_current_team'?: (string);
  'set_current_organization'?: (string);
  'is_staff'?: (boolean);
  'password'?: (string);
  'current_password'?: (string);
  'null_fields': (string)[];
}
