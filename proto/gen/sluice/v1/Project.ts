// From proto/sluice/v1/projects.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface Project {
  'id'?: (number);
  'uuid'?: (string);
  'organization'?: (string);
  'api_token'?: (string);
  'app_urls'?: (_google_protobuf_Value | null);
  'name'?: (string);
  'chat_incoming_webhook'?: (string);
  'created_at'?: (string);
  'updated_at'?: (string);
  'anonymize_ips'?: (boolean);
  'completed_snippet_onboarding'?: (boolean);
  'ingested_event'?: (boolean);
  'test_account_filters'?: (_google_protobuf_Value | null);
  'test_account_filters_default_checked'?: (boolean);
  'path_cleaning_filters'?: (_google_protobuf_Value | null);
  'is_demo'?: (boolean);
  'timezone'?: (string);
  'data_attributes'?: (_google_protobuf_Value | null);
  'person_display_name_properties'?: (_google_protobuf_Value | null);
  'correlation_config'?: (_google_protobuf_Value | null);
  'session_recording_opt_in'?: (boolean);
  'capture_console_log_opt_in'?: (boolean);
  'capture_performance_opt_in'?: (boolean);
  'effective_membership_level'?: (number);
  'access_control'?: (boolean);
  'has_group_types'?: (boolean);
  'primary_dashboard'?: (number);
  'live_events_columns'?: (_google_protobuf_Value | null);
  'recording_domains'?: (_google_protobuf_Value | null);
  'person_on_events_querying_enabled'?: (boolean);
  'groups_on_events_querying_enabled'?: (boolean);
  'events_retention_days'?: (number);
  'week_start_day'?: (number);
  'events_retention_from'?: (string);
  'events_retention_wait_hours'?: (number);
  '_chat_incoming_webhook'?: "chat_incoming_webhook";
  '_test_account_filters_default_checked'?: "test_account_filters_default_checked";
  '_capture_console_log_opt_in'?: "capture_console_log_opt_in";
  '_capture_performance_opt_in'?: "capture_performance_opt_in";
  '_effective_membership_level'?: "effective_membership_level";
  '_primary_dashboard'?: "primary_dashboard";
  '_events_retention_days'?: "events_retention_days";
  '_events_retention_from'?: "events_retention_from";
}

export interface Project__Output {
  'id': (number);
  'uuid': (string);
  'organization': (string);
  'api_token': (string);
  'app_urls': (_google_protobuf_Value__Output | null);
  'name': (string);
  'chat_incoming_webhook'?: (string);
  'created_at': (string);
  'updated_at': (string);
  'anonymize_ips': (boolean);
  'completed_snippet_onboarding': (boolean);
  'ingested_event': (boolean);
  'test_account_filters': (_google_protobuf_Value__Output | null);
  'test_account_filters_default_checked'?: (boolean);
  'path_cleaning_filters': (_google_protobuf_Value__Output | null);
  'is_demo': (boolean);
  'timezone': (string);
  'data_attributes': (_google_protobuf_Value__Output | null);
  'person_display_name_properties': (_google_protobuf_Value__Output | null);
  'correlation_config': (_google_protobuf_Value__Output | null);
  'session_recording_opt_in': (boolean);
  'capture_console_log_opt_in'?: (boolean);
  'capture_performance_opt_in'?: (boolean);
  'effective_membership_level'?: (number);
  'access_control': (boolean);
  'has_group_types': (boolean);
  'primary_dashboard'?: (number);
  'live_events_columns': (_google_protobuf_Value__Output | null);
  'recording_domains': (_google_protobuf_Value__Output | null);
  'person_on_events_querying_enabled': (boolean);
  'groups_on_events_querying_enabled': (boolean);
  'events_retention_days'?: (number);
  'week_start_day': (number);
  'events_retention_from'?: (string);
  'events_retention_wait_hours': (number);
}
