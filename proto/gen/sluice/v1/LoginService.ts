// From proto/sluice/v1/login.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetSessionRequest as _sluice_v1_GetSessionRequest, GetSessionRequest__Output as _sluice_v1_GetSessionRequest__Output } from '../../sluice/v1/GetSessionRequest.ts';
import type { LoginRequest as _sluice_v1_LoginRequest, LoginRequest__Output as _sluice_v1_LoginRequest__Output } from '../../sluice/v1/LoginRequest.ts';
import type { LoginResponse as _sluice_v1_LoginResponse, LoginResponse__Output as _sluice_v1_LoginResponse__Output } from '../../sluice/v1/LoginResponse.ts';
import type { LogoutRequest as _sluice_v1_LogoutRequest, LogoutRequest__Output as _sluice_v1_LogoutRequest__Output } from '../../sluice/v1/LogoutRequest.ts';
import type { Session as _sluice_v1_Session, Session__Output as _sluice_v1_Session__Output } from '../../sluice/v1/Session.ts';

export interface LoginServiceClient extends grpc.Client {
  GetSession(argument: _sluice_v1_GetSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  GetSession(argument: _sluice_v1_GetSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  GetSession(argument: _sluice_v1_GetSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  GetSession(argument: _sluice_v1_GetSessionRequest, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  getSession(argument: _sluice_v1_GetSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  getSession(argument: _sluice_v1_GetSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  getSession(argument: _sluice_v1_GetSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  getSession(argument: _sluice_v1_GetSessionRequest, callback: grpc.requestCallback<_sluice_v1_Session__Output>): grpc.ClientUnaryCall;
  
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
  GetSession: grpc.handleUnaryCall<_sluice_v1_GetSessionRequest__Output, _sluice_v1_Session>;
  
  Login: grpc.handleUnaryCall<_sluice_v1_LoginRequest__Output, _sluice_v1_LoginResponse>;
  
  Logout: grpc.handleUnaryCall<_sluice_v1_LogoutRequest__Output, _google_protobuf_Empty>;
  
}

export interface LoginServiceDefinition extends grpc.ServiceDefinition {
  GetSession: MethodDefinition<_sluice_v1_GetSessionRequest, _sluice_v1_Session, _sluice_v1_GetSessionRequest__Output, _sluice_v1_Session__Output>
  Login: MethodDefinition<_sluice_v1_LoginRequest, _sluice_v1_LoginResponse, _sluice_v1_LoginRequest__Output, _sluice_v1_LoginResponse__Output>
  Logout: MethodDefinition<_sluice_v1_LogoutRequest, _google_protobuf_Empty, _sluice_v1_LogoutRequest__Output, _google_protobuf_Empty__Output>
}
