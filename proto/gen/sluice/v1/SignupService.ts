// From proto/sluice/v1/invites.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AcceptInviteRequest as _sluice_v1_AcceptInviteRequest, AcceptInviteRequest__Output as _sluice_v1_AcceptInviteRequest__Output } from '../../sluice/v1/AcceptInviteRequest.ts';
import type { AcceptInviteResponse as _sluice_v1_AcceptInviteResponse, AcceptInviteResponse__Output as _sluice_v1_AcceptInviteResponse__Output } from '../../sluice/v1/AcceptInviteResponse.ts';
import type { GetSignupRequest as _sluice_v1_GetSignupRequest, GetSignupRequest__Output as _sluice_v1_GetSignupRequest__Output } from '../../sluice/v1/GetSignupRequest.ts';
import type { Signup as _sluice_v1_Signup, Signup__Output as _sluice_v1_Signup__Output } from '../../sluice/v1/Signup.ts';

export interface SignupServiceClient extends grpc.Client {
  AcceptInvite(argument: _sluice_v1_AcceptInviteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_AcceptInviteResponse__Output>): grpc.ClientUnaryCall;
  AcceptInvite(argument: _sluice_v1_AcceptInviteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_AcceptInviteResponse__Output>): grpc.ClientUnaryCall;
  AcceptInvite(argument: _sluice_v1_AcceptInviteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_AcceptInviteResponse__Output>): grpc.ClientUnaryCall;
  AcceptInvite(argument: _sluice_v1_AcceptInviteRequest, callback: grpc.requestCallback<_sluice_v1_AcceptInviteResponse__Output>): grpc.ClientUnaryCall;
  acceptInvite(argument: _sluice_v1_AcceptInviteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_AcceptInviteResponse__Output>): grpc.ClientUnaryCall;
  acceptInvite(argument: _sluice_v1_AcceptInviteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_AcceptInviteResponse__Output>): grpc.ClientUnaryCall;
  acceptInvite(argument: _sluice_v1_AcceptInviteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_AcceptInviteResponse__Output>): grpc.ClientUnaryCall;
  acceptInvite(argument: _sluice_v1_AcceptInviteRequest, callback: grpc.requestCallback<_sluice_v1_AcceptInviteResponse__Output>): grpc.ClientUnaryCall;
  
  GetSignup(argument: _sluice_v1_GetSignupRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Signup__Output>): grpc.ClientUnaryCall;
  GetSignup(argument: _sluice_v1_GetSignupRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Signup__Output>): grpc.ClientUnaryCall;
  GetSignup(argument: _sluice_v1_GetSignupRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Signup__Output>): grpc.ClientUnaryCall;
  GetSignup(argument: _sluice_v1_GetSignupRequest, callback: grpc.requestCallback<_sluice_v1_Signup__Output>): grpc.ClientUnaryCall;
  getSignup(argument: _sluice_v1_GetSignupRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Signup__Output>): grpc.ClientUnaryCall;
  getSignup(argument: _sluice_v1_GetSignupRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Signup__Output>): grpc.ClientUnaryCall;
  getSignup(argument: _sluice_v1_GetSignupRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Signup__Output>): grpc.ClientUnaryCall;
  getSignup(argument: _sluice_v1_GetSignupRequest, callback: grpc.requestCallback<_sluice_v1_Signup__Output>): grpc.ClientUnaryCall;
  
}

export interface SignupServiceHandlers extends grpc.UntypedServiceImplementation {
  AcceptInvite: grpc.handleUnaryCall<_sluice_v1_AcceptInviteRequest__Output, _sluice_v1_AcceptInviteResponse>;
  
  GetSignup: grpc.handleUnaryCall<_sluice_v1_GetSignupRequest__Output, _sluice_v1_Signup>;
  
}

export interface SignupServiceDefinition extends grpc.ServiceDefinition {
  AcceptInvite: MethodDefinition<_sluice_v1_AcceptInviteRequest, _sluice_v1_AcceptInviteResponse, _sluice_v1_AcceptInviteRequest__Output, _sluice_v1_AcceptInviteResponse__Output>
  GetSignup: MethodDefinition<_sluice_v1_GetSignupRequest, _sluice_v1_Signup, _sluice_v1_GetSignupRequest__Output, _sluice_v1_Signup__Output>
}
