// From proto/sluice/v1/users.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetMeRequest as _sluice_v1_GetMeRequest, GetMeRequest__Output as _sluice_v1_GetMeRequest__Output } from './GetMeRequest.ts';
import type { GetUserRequest as _sluice_v1_GetUserRequest, GetUserRequest__Output as _sluice_v1_GetUserRequest__Output } from './GetUserRequest.ts';
import type { ListUsersRequest as _sluice_v1_ListUsersRequest, ListUsersRequest__Output as _sluice_v1_ListUsersRequest__Output } from './ListUsersRequest.ts';
import type { ListUsersResponse as _sluice_v1_ListUsersResponse, ListUsersResponse__Output as _sluice_v1_ListUsersResponse__Output } from './ListUsersResponse.ts';
import type { UpdateMeRequest as _sluice_v1_UpdateMeRequest, UpdateMeRequest__Output as _sluice_v1_UpdateMeRequest__Output } from './UpdateMeRequest.ts';
import type { User as _sluice_v1_User, User__Output as _sluice_v1_User__Output } from './User.ts';

export interface UserServiceClient extends grpc.Client {
  GetMe(argument: _sluice_v1_GetMeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  GetMe(argument: _sluice_v1_GetMeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  GetMe(argument: _sluice_v1_GetMeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  GetMe(argument: _sluice_v1_GetMeRequest, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  getMe(argument: _sluice_v1_GetMeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  getMe(argument: _sluice_v1_GetMeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  getMe(argument: _sluice_v1_GetMeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  getMe(argument: _sluice_v1_GetMeRequest, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  
  GetUser(argument: _sluice_v1_GetUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _sluice_v1_GetUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _sluice_v1_GetUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _sluice_v1_GetUserRequest, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  getUser(argument: _sluice_v1_GetUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  getUser(argument: _sluice_v1_GetUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  getUser(argument: _sluice_v1_GetUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  getUser(argument: _sluice_v1_GetUserRequest, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  
  ListUsers(argument: _sluice_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _sluice_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _sluice_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _sluice_v1_ListUsersRequest, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _sluice_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _sluice_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _sluice_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _sluice_v1_ListUsersRequest, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateMe(argument: _sluice_v1_UpdateMeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  UpdateMe(argument: _sluice_v1_UpdateMeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  UpdateMe(argument: _sluice_v1_UpdateMeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  UpdateMe(argument: _sluice_v1_UpdateMeRequest, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateMe(argument: _sluice_v1_UpdateMeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateMe(argument: _sluice_v1_UpdateMeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateMe(argument: _sluice_v1_UpdateMeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateMe(argument: _sluice_v1_UpdateMeRequest, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  
}

export interface UserServiceHandlers extends grpc.UntypedServiceImplementation {
  GetMe: grpc.handleUnaryCall<_sluice_v1_GetMeRequest__Output, _sluice_v1_User>;
  
  GetUser: grpc.handleUnaryCall<_sluice_v1_GetUserRequest__Output, _sluice_v1_User>;
  
  ListUsers: grpc.handleUnaryCall<_sluice_v1_ListUsersRequest__Output, _sluice_v1_ListUsersResponse>;
  
  UpdateMe: grpc.handleUnaryCall<_sluice_v1_UpdateMeRequest__Output, _sluice_v1_User>;
  
}

export interface UserServiceDefinition extends grpc.ServiceDefinition {
  GetMe: MethodDefinition<_sluice_v1_GetMeRequest, _sluice_v1_User, _sluice_v1_GetMeRequest__Output, _sluice_v1_User__Output>
  GetUser: MethodDefinition<_sluice_v1_GetUserRequest, _sluice_v1_User, _sluice_v1_GetUserRequest__Output, _sluice_v1_User__Output>
  ListUsers: MethodDefinition<_sluice_v1_ListUsersRequest, _sluice_v1_ListUsersResponse, _sluice_v1_ListUsersRequest__Output, _sluice_v1_ListUsersResponse__Output>
  UpdateMe: MethodDefinition<_sluice_v1_UpdateMeRequest, _sluice_v1_User, _sluice_v1_UpdateMeRequest__Output, _sluice_v1_User__Output>
}
