// From proto/sluice/v1/users.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';
import type { EventNameUsage as _sluice_v1_EventNameUsage, EventNameUsage__Output as _sluice_v1_EventNameUsage__Output } from '../../sluice/v1/EventNameUsage.ts';
import type { EventPropertyUsage as _sluice_v1_EventPropertyUsage, EventPropertyUsage__Output as _sluice_v1_EventPropertyUsage__Output } from '../../sluice/v1/EventPropertyUsage.ts';

export interface UserTeam {
  'id'?: (number);
  'uuid'?: (string);
  'organization'?: (string);
  'api_token'?: (string);
  'name'?: (string);
  'completed_snippet_onboarding'?: (boolean);
  'ingested_event'?: (boolean);
  'is_demo'?: (boolean);
  'timezone'?: (string);
  'access_control'?: (boolean);
  'effective_membership_level'?: (number);
  'app_urls'?: (_google_protobuf_Value | null);
  'anonymize_ips'?: (boolean);
  'chat_incoming_webhook'?: (string);
  'test_account_filters'?: (_google_protobuf_Value | null);
  'data_attributes'?: (_google_protobuf_Value | null);
  'session_recording_opt_in'?: (boolean);
  'event_names'?: (string)[];
  'event_properties'?: (string)[];
  'event_names_with_usage'?: (_sluice_v1_EventNameUsage)[];
  'event_properties_with_usage'?: (_sluice_v1_EventPropertyUsage)[];
  '_effective_membership_level'?: "effective_membership_level";
  '_chat_incoming_webhook'?: "chat_incoming_webhook";
}

export interface UserTeam__Output {
  'id': (number);
  'uuid': (string);
  'organization': (string);
  'api_token': (string);
  'name': (string);
  'completed_snippet_onboarding': (boolean);
  'ingested_event': (boolean);
  'is_demo': (boolean);
  'timezone': (string);
  'access_control': (boolean);
  'effective_membership_level'?: (number);
  'app_urls': (_google_protobuf_Value__Output | null);
  'anonymize_ips': (boolean);
  'chat_incoming_webhook'?: (string);
  'test_account_filters': (_google_protobuf_Value__Output | null);
  'data_attributes': (_google_protobuf_Value__Output | null);
  'session_recording_opt_in': (boolean);
  'event_names': (string)[];
  'event_properties': (string)[];
  'event_names_with_usage': (_sluice_v1_EventNameUsage__Output)[];
  'event_properties_with_usage': (_sluice_v1_EventPropertyUsage__Output)[];
}
