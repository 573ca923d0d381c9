// From proto/sluice/v1/login.proto

import type { SessionUser as _sluice_v1_SessionUser, SessionUser__Output as _sluice_v1_SessionUser__Output } from '../../sluice/v1/SessionUser.ts';
import type { ListValue as _google_protobuf_ListValue, ListValue__Output as _google_protobuf_ListValue__Output } from '../../google/protobuf/ListValue.ts';

export interface Session {
  'user'?: (_sluice_v1_SessionUser | null);
  'project_id'?: (number);
  'scopes'?: (_google_protobuf_ListValue | null);
  'expires_at'?: (string);
  'csrf_token'?: (string);
  '_project_id'?: "project_id";
  '_expires_at'?: "expires_at";
  '_csrf_token'?: "csrf_token";
}

export interface Session__Output {
  'user': (_sluice_v1_SessionUser__Output | null);
  'project_id'?: (number);
  'scopes': (_google_protobuf_ListValue__Output | null);
  'expires_at'?: (string);
  'csrf_token'?: (string);
}
