// From proto/sluice/v1/login.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { EndSessionRequest as _sluice_v1_EndSessionRequest, EndSessionRequest__Output as _sluice_v1_EndSessionRequest__Output } from '../../sluice/v1/EndSessionRequest.ts';
import type { GetSessionRequest as _sluice_v1_GetSessionRequest, GetSessionRequest__Output as _sluice_v1_GetSessionRequest__Output } from '../../sluice/v1/GetSessionRequest.ts';
import type { ListSessionsRequest as _sluice_v1_ListSessionsRequest, ListSessionsRequest__Output as _sluice_v1_ListSessionsRequest__Output } from '../../sluice/v1/ListSessionsRequest.ts';
import type { ListSessionsResponse as _sluice_v1_ListSessionsResponse, ListSessionsResponse__Output as _sluice_v1_ListSessionsResponse__Output } from '../../sluice/v1/ListSessionsResponse.ts';
import type { LoginRequest as _sluice_v1_LoginRequest, LoginRequest__Output as _sluice_v1_LoginRequest__Output } from '../../sluice/v1/LoginRequest.ts';
import type { LoginResponse as _sluice_v1_LoginResponse, LoginResponse__Output as _sluice_v1_LoginResponse__Output } from '../../sluice/v1/LoginResponse.ts';
import type { LogoutRequest as _sluice_v1_LogoutRequest, LogoutRequest__Output as _sluice_v1_LogoutRequest__Output } from '../../sluice/v1/LogoutRequest.ts';
import type { Session as _sluice_v1_Session, Session__Output as _sluice_v1_Session__Output } from '../../sluice/v1/Session.ts';

export interface LoginServiceClient extends grpc.Client {
  EndSession(argument: _sluice_v1_EndSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  EndSession(argument: _sluice_v1_EndSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  EndSession(argument: _sluice_v1_EndSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  EndSession(argument: _sluice_v1_EndSessionRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  endSession(argument: _sluice_v1_EndSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  endSession(argument: _sluice_v1_EndSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  endSession(argument: _sluice_v1_EndSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  endSession(argument: _sluice_v1_EndSessionRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  GetSession(argument: _sluice_v1_GetSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  GetSession(argument: _sluice_v1_GetSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  GetSession(argument: _sluice_v1_GetSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  GetSession(argument: _sluice_v1_GetSessionRequest, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  getSession(argument: _sluice_v1_GetSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  getSession(argument: _sluice_v1_GetSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  getSession(argument: _sluice_v1_GetSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  getSession(argument: _sluice_v1_GetSessionRequest, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  
  ListSessions(argument: _sluice_v1_ListSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _sluice_v1_ListSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _sluice_v1_ListSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _sluice_v1_ListSessionsRequest, callback: grpc.requestCallback<_sluice_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _sluice_v1_ListSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _sluice_v1_ListSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _sluice_v1_ListSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _sluice_v1_ListSessionsRequest, callback: grpc.requestCallback<_sluice_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  
  Login(argument: _sluice_v1_LoginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  Login(argument: _sluice_v1_LoginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  Login(argument: _sluice_v1_LoginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  Login(argument: _sluice_v1_LoginRequest, callback: grpc.requestCallback<_sluice_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  login(argument: _sluice_v1_LoginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  login(argument: _sluice_v1_LoginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  login(argument: _sluice_v1_LoginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  login(argument: _sluice_v1_LoginRequest, callback: grpc.requestCallback<_sluice_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  
  Logout(argument: _sluice_v1_LogoutRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  Logout(argument: _sluice_v1_LogoutRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  Logout(argument: _sluice_v1_LogoutRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  Logout(argument: _sluice_v1_LogoutRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  logout(argument: _sluice_v1_LogoutRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  logout(argument: _sluice_v1_LogoutRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  logout(argument: _sluice_v1_LogoutRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  logout(argument: _sluice_v1_LogoutRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
}

export interface LoginServiceHandlers extends grpc.UntypedServiceImplementation {
  EndSession: grpc.handleUnaryCall<_sluice_v1_EndSessionRequest__Output, _google_protobuf_Empty>;
  
  GetSession: grpc.handleUnaryCall<_sluice_v1_GetSessionRequest__Output, _sluice_v1_Session>;
  
  ListSessions: grpc.handleUnaryCall<_sluice_v1_ListSessionsRequest__Output, _sluice_v1_ListSessionsResponse>;
  
  Login: grpc.handleUnaryCall<_sluice_v1_LoginRequest__Output, _sluice_v1_LoginResponse>;
  
  Logout: grpc.handleUnaryCall<_sluice_v1_LogoutRequest__Output, _google_protobuf_Empty>;
  
}

export interface LoginServiceDefinition extends grpc.ServiceDefinition {
  EndSession: MethodDefinition<_sluice_v1_EndSessionRequest, _google_protobuf_Empty, _sluice_v1_EndSessionRequest__Output, _google_protobuf_Empty__Output>
  GetSession: MethodDefinition<_sluice_v1_GetSessionRequest, _sluice_v1_Session, _sluice_v1_GetSessionRequest__Output, _sluice_v1_Session__Output>
  ListSessions: MethodDefinition<_sluice_v1_ListSessionsRequest, _sluice_v1_ListSessionsResponse, _sluice_v1_ListSessionsRequest__Output, _sluice_v1_ListSessionsResponse__Output>
  Login: MethodDefinition<_sluice_v1_LoginRequest, _sluice_v1_LoginResponse, _sluice_v1_LoginRequest__Output, _sluice_v1_LoginResponse__Output>
  Logout: MethodDefinition<_sluice_v1_LogoutRequest, _google_protobuf_Empty, _sluice_v1_LogoutRequest__Output, _google_protobuf_Empty__Output>
}
