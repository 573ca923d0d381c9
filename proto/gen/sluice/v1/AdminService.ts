// From proto/sluice/v1/admin.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateUserRequest as _sluice_v1_CreateUserRequest, CreateUserRequest__Output as _sluice_v1_CreateUserRequest__Output } from '../../sluice/v1/CreateUserRequest.ts';
import type { CreateUserResponse as _sluice_v1_CreateUserResponse, CreateUserResponse__Output as _sluice_v1_CreateUserResponse__Output } from '../../sluice/v1/CreateUserResponse.ts';
import type { GetStatusRequest as _sluice_v1_GetStatusRequest, GetStatusRequest__Output as _sluice_v1_GetStatusRequest__Output } from '../../sluice/v1/GetStatusRequest.ts';
import type { GetStatusResponse as _sluice_v1_GetStatusResponse, GetStatusResponse__Output as _sluice_v1_GetStatusResponse__Output } from '../../sluice/v1/GetStatusResponse.ts';

export interface AdminServiceClient extends grpc.Client {
  CreateUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _sluice_v1_CreateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _sluice_v1_CreateUserRequest, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  
  GetStatus(argument: _sluice_v1_GetStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _sluice_v1_GetStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _sluice_v1_GetStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _sluice_v1_GetStatusRequest, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _sluice_v1_GetStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _sluice_v1_GetStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _sluice_v1_GetStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _sluice_v1_GetStatusRequest, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface AdminServiceHandlers extends grpc.UntypedServiceImplementation {
  CreateUser: grpc.handleUnaryCall<_sluice_v1_CreateUserRequest__Output, _sluice_v1_CreateUserResponse>;
  
  GetStatus: grpc.handleUnaryCall<_sluice_v1_GetStatusRequest__Output, _sluice_v1_GetStatusResponse>;
  
}

export interface AdminServiceDefinition extends grpc.ServiceDefinition {
  CreateUser: MethodDefinition<_sluice_v1_CreateUserRequest, _sluice_v1_CreateUserResponse, _sluice_v1_CreateUserRequest__Output, _sluice_v1_CreateUserResponse__Output>
  GetStatus: MethodDefinition<_sluice_v1_GetStatusRequest, _sluice_v1_GetStatusResponse, _sluice_v1_GetStatusRequest__Output, _sluice_v1_GetStatusResponse__Output>
}
