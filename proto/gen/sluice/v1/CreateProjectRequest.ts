// From proto/sluice/v1/projects.proto

import type { Value as _google_protobuf_Value, Value__Output as _google_protobuf_Value__Output } from '../../google/protobuf/Value.ts';

export interface CreateProjectRequest {
  'app_urls'?: (_google_protobuf_Value | null);
  'name'?: (string);
  'chat_incoming_webhook'?: (string);
  'anonymize_ips'?: (boolean);
  'completed_snippet_onboarding'?: (boolean);
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
  'access_control'?: (boolean);
  'primary_dashboard'?: (number);
  'live_events_columns'?: (_google_protobuf_Value | null);
  'recording_domains'?: (_google_protobuf_Value | null);
  'events_retention_days'?: (number);
  'week_start_day'?: (number);
  'null_fields'?: (string)[];
  '_name'?: "name";
  '_chat_incoming_webhook'?: "chat_incoming_webhook";
  '_anonymize_ips'?: "anonymize_ips";
  '_completed_snippet_onboarding'?: "completed_snippet_onboarding";
  '_test_account_filters_default_checked'?: "test_account_filters_default_checked";
  '_is_demo'?: "is_demo";
  '_timezone'?: "timezone";
  '_session_recording_opt_in'?: "session_recording_opt_in";
  '_capture_console_log_opt_in'?: "capture_console_log_opt_in";
  '_capture_performance_opt_in'?: "capture_performance_opt_in";
  '_access_control'?: "access_control";
  '_primary_dashboard'?: "primary_dashboard";
  '_events_retention_days'?: "events_retention_days";
  '_week_start_day'?: "week_start_day";
}

export interface CreateProjectRequest__Output {
  'app_urls': (_google_protobuf_Value__Output | null);
  'name'?: (string);
  'chat_incoming_webhook'?: (string);
  'anonymize_ips'?: (boolean);
  'completed_snippet_onboarding'?: (boolean);
  'test_account_filters': (_google_protobuf_Value__Output | null);
  'test_account_filters_default_checked'?: (boolean);
  'path_cleaning_filters': (_google_protobuf_Value__Output | null);
  'is_demo'?: (boolean);
  'timezone'?: (string);
  'data_attributes': (_google_protobuf_Value__Output | null);
  'person_display_name_properties': (_google_protobuf_Value__Output | null);
  'correlation_config': (_google_protobuf_Value__Output | null);
  'session_recording_opt_in'?: (boolean);
  'capture_console_log_opt_in'?: (boolean);
  'capture_performance_opt_in'?: (boolean);
  'access_control'?: (boolean);
  'primary_dashboard'?: (number);
  'live_events_columns': (_google_protobuf_Value__Output | null);
  'recording_domains': (_google_protobuf_Value__Output | null);
  'events_retention_days'?: (number);
  'week_start_day'?: (number);
  'null_fields': (string)[];
}
