// From proto/sluice/v1/users.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetMeRequest as _sluice_v1_GetMeRequest, GetMeRequest__Output as _sluice_v1_GetMeRequest__Output } from '../../sluice/v1/GetMeRequest.ts';
import type { GetUserRequest as _sluice_v1_GetUserRequest, GetUserRequest__Output as _sluice_v1_GetUserRequest__Output } from '../../sluice/v1/GetUserRequest.ts';
import type { ListPersonalApiKeysResponse as _sluice_v1_ListPersonalApiKeysResponse, ListPersonalApiKeysResponse__Output as _sluice_v1_ListPersonalApiKeysResponse__Output } from '../../sluice/v1/ListPersonalApiKeysResponse.ts';
import type { ListUsersRequest as _sluice_v1_ListUsersRequest, ListUsersRequest__Output as _sluice_v1_ListUsersRequest__Output } from '../../sluice/v1/ListUsersRequest.ts';
import type { ListUsersResponse as _sluice_v1_ListUsersResponse, ListUsersResponse__Output as _sluice_v1_ListUsersResponse__Output } from '../../sluice/v1/ListUsersResponse.ts';
import type { RevokeUserKeyRequest as _sluice_v1_RevokeUserKeyRequest, RevokeUserKeyRequest__Output as _sluice_v1_RevokeUserKeyRequest__Output } from '../../sluice/v1/RevokeUserKeyRequest.ts';
import type { UpdateMeRequest as _sluice_v1_UpdateMeRequest, UpdateMeRequest__Output as _sluice_v1_UpdateMeRequest__Output } from '../../sluice/v1/UpdateMeRequest.ts';
import type { UpdateUserRequest as _sluice_v1_UpdateUserRequest, UpdateUserRequest__Output as _sluice_v1_UpdateUserRequest__Output } from '../../sluice/v1/UpdateUserRequest.ts';
import type { User as _sluice_v1_User, User__Output as _sluice_v1_User__Output } from '../../sluice/v1/User.ts';
import type { VerifyEmailRequest as _sluice_v1_VerifyEmailRequest, VerifyEmailRequest__Output as _sluice_v1_VerifyEmailRequest__Output } from '../../sluice/v1/VerifyEmailRequest.ts';
import type { VerifyEmailResponse as _sluice_v1_VerifyEmailResponse, VerifyEmailResponse__Output as _sluice_v1_VerifyEmailResponse__Output } from '../../sluice/v1/VerifyEmailResponse.ts';

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
  
  ListUserKeys(argument: _sluice_v1_GetUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListUserKeys(argument: _sluice_v1_GetUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListUserKeys(argument: _sluice_v1_GetUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListUserKeys(argument: _sluice_v1_GetUserRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listUserKeys(argument: _sluice_v1_GetUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listUserKeys(argument: _sluice_v1_GetUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listUserKeys(argument: _sluice_v1_GetUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listUserKeys(argument: _sluice_v1_GetUserRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  
  ListUsers(argument: _sluice_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _sluice_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _sluice_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _sluice_v1_ListUsersRequest, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _sluice_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _sluice_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _sluice_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _sluice_v1_ListUsersRequest, callback: grpc.requestCallback<_sluice_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  
  RevokeUserKey(argument: _sluice_v1_RevokeUserKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  RevokeUserKey(argument: _sluice_v1_RevokeUserKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  RevokeUserKey(argument: _sluice_v1_RevokeUserKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  RevokeUserKey(argument: _sluice_v1_RevokeUserKeyRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  revokeUserKey(argument: _sluice_v1_RevokeUserKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  revokeUserKey(argument: _sluice_v1_RevokeUserKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  revokeUserKey(argument: _sluice_v1_RevokeUserKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  revokeUserKey(argument: _sluice_v1_RevokeUserKeyRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  UpdateMe(argument: _sluice_v1_UpdateMeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  UpdateMe(argument: _sluice_v1_UpdateMeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  UpdateMe(argument: _sluice_v1_UpdateMeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  UpdateMe(argument: _sluice_v1_UpdateMeRequest, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateMe(argument: _sluice_v1_UpdateMeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateMe(argument: _sluice_v1_UpdateMeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateMe(argument: _sluice_v1_UpdateMeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateMe(argument: _sluice_v1_UpdateMeRequest, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  
  UpdateUser(argument: _sluice_v1_UpdateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  UpdateUser(argument: _sluice_v1_UpdateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  UpdateUser(argument: _sluice_v1_UpdateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  UpdateUser(argument: _sluice_v1_UpdateUserRequest, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateUser(argument: _sluice_v1_UpdateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateUser(argument: _sluice_v1_UpdateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateUser(argument: _sluice_v1_UpdateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  updateUser(argument: _sluice_v1_UpdateUserRequest, callback: grpc.requestCallback<_sluice_v1_User__Output>): grpc.ClientUnaryCall;
  
  VerifyEmail(argument: _sluice_v1_VerifyEmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_VerifyEmailResponse__Output>): grpc.ClientUnaryCall;
  VerifyEmail(argument: _sluice_v1_VerifyEmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_VerifyEmailResponse__Output>): grpc.ClientUnaryCall;
  VerifyEmail(argument: _sluice_v1_VerifyEmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_VerifyEmailResponse__Output>): grpc.ClientUnaryCall;
  VerifyEmail(argument: _sluice_v1_VerifyEmailRequest, callback: grpc.requestCallback<_sluice_v1_VerifyEmailResponse__Output>): grpc.ClientUnaryCall;
  verifyEmail(argument: _sluice_v1_VerifyEmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_VerifyEmailResponse__Output>): grpc.ClientUnaryCall;
  verifyEmail(argument: _sluice_v1_VerifyEmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_VerifyEmailResponse__Output>): grpc.ClientUnaryCall;
  verifyEmail(argument: _sluice_v1_VerifyEmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_VerifyEmailResponse__Output>): grpc.ClientUnaryCall;
  verifyEmail(argument: _sluice_v1_VerifyEmailRequest, callback: grpc.requestCallback<_sluice_v1_VerifyEmailResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface UserServiceHandlers extends grpc.UntypedServiceImplementation {
  GetMe: grpc.handleUnaryCall<_sluice_v1_GetMeRequest__Output, _sluice_v1_User>;
  
  GetUser: grpc.handleUnaryCall<_sluice_v1_GetUserRequest__Output, _sluice_v1_User>;
  
  ListUserKeys: grpc.handleUnaryCall<_sluice_v1_GetUserRequest__Output, _sluice_v1_ListPersonalApiKeysResponse>;
  
  ListUsers: grpc.handleUnaryCall<_sluice_v1_ListUsersRequest__Output, _sluice_v1_ListUsersResponse>;
  
  RevokeUserKey: grpc.handleUnaryCall<_sluice_v1_RevokeUserKeyRequest__Output, _google_protobuf_Empty>;
  
  UpdateMe: grpc.handleUnaryCall<_sluice_v1_UpdateMeRequest__Output, _sluice_v1_User>;
  
  UpdateUser: grpc.handleUnaryCall<_sluice_v1_UpdateUserRequest__Output, _sluice_v1_User>;
  
  VerifyEmail: grpc.handleUnaryCall<_sluice_v1_VerifyEmailRequest__Output, _sluice_v1_VerifyEmailResponse>;
  
}

export interface UserServiceDefinition extends grpc.ServiceDefinition {
  GetMe: MethodDefinition<_sluice_v1_GetMeRequest, _sluice_v1_User, _sluice_v1_GetMeRequest__Output, _sluice_v1_User__Output>
  GetUser: MethodDefinition<_sluice_v1_GetUserRequest, _sluice_v1_User, _sluice_v1_GetUserRequest__Output, _sluice_v1_User__Output>
  ListUserKeys: MethodDefinition<_sluice_v1_GetUserRequest, _sluice_v1_ListPersonalApiKeysResponse, _sluice_v1_GetUserRequest__Output, _sluice_v1_ListPersonalApiKeysResponse__Output>
  ListUsers: MethodDefinition<_sluice_v1_ListUsersRequest, _sluice_v1_ListUsersResponse, _sluice_v1_ListUsersRequest__Output, _sluice_v1_ListUsersResponse__Output>
  RevokeUserKey: MethodDefinition<_sluice_v1_RevokeUserKeyRequest, _google_protobuf_Empty, _sluice_v1_RevokeUserKeyRequest__Output, _google_protobuf_Empty__Output>
  UpdateMe: MethodDefinition<_sluice_v1_UpdateMeRequest, _sluice_v1_User, _sluice_v1_UpdateMeRequest__Output, _sluice_v1_User__Output>
  UpdateUser: MethodDefinition<_sluice_v1_UpdateUserRequest, _sluice_v1_User, _sluice_v1_UpdateUserRequest__Output, _sluice_v1_User__Output>
  VerifyEmail: MethodDefinition<_sluice_v1_VerifyEmailRequest, _sluice_v1_VerifyEmailResponse, _sluice_v1_VerifyEmailRequest__Output, _sluice_v1_VerifyEmailResponse__Output>
}
