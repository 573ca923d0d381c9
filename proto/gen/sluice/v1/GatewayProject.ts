// From proto/sluice/v1/directory.proto

import type { SessionRecording as _sluice_v1_SessionRecording, SessionRecording__Output as _sluice_v1_SessionRecording__Output } from '../../sluice/v1/SessionRecording.ts';
import type { Long } from '@grpc/proto-loader';

export interface GatewayProject {
  'id'?: (number);
  'revision'?: (number | string | Long);
  'anonymize_ips'?: (boolean);
  'api_token'?: (string);
  'has_flags'?: (boolean);
  'capture_performance'?: (boolean);
  'has_plugins'?: (boolean);
  'session_recording'?: (_sluice_v1_SessionRecording | null);
}

export interface GatewayProject__Output {
  'id': (number);
  'revision': (number);
  'anonymize_ips': (boolean);
  'api_token': (string);
  'has_flags': (boolean);
  'capture_performance': (boolean);
  'has_plugins': (boolean);
  'session_recording': (_sluice_v1_SessionRecording__Output | null);
}
