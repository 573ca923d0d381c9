// From proto/sluice/v1/access.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CheckAccessRequest as _sluice_v1_CheckAccessRequest, CheckAccessRequest__Output as _sluice_v1_CheckAccessRequest__Output } from '../../sluice/v1/CheckAccessRequest.ts';
import type { CheckAccessResponse as _sluice_v1_CheckAccessResponse, CheckAccessResponse__Output as _sluice_v1_CheckAccessResponse__Output } from '../../sluice/v1/CheckAccessResponse.ts';

export interface AccessServiceClient extends grpc.Client {
  CheckAccess(argument: _sluice_v1_CheckAccessRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CheckAccessResponse__Output>): grpc.ClientUnaryCall;
  CheckAccess(argument: _sluice_v1_CheckAccessRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CheckAccessResponse__Output>): grpc.ClientUnaryCall;
  CheckAccess(argument: _sluice_v1_CheckAccessRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CheckAccessResponse__Output>): grpc.ClientUnaryCall;
  CheckAccess(argument: _sluice_v1_CheckAccessRequest, callback: grpc.requestCallback<_sluice_v1_CheckAccessResponse__Output>): grpc.ClientUnaryCall;
  checkAccess(argument: _sluice_v1_CheckAccessRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CheckAccessResponse__Output>): grpc.ClientUnaryCall;
  checkAccess(argument: _sluice_v1_CheckAccessRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CheckAccessResponse__Output>): grpc.ClientUnaryCall;
  checkAccess(argument: _sluice_v1_CheckAccessRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CheckAccessResponse__Output>): grpc.ClientUnaryCall;
  checkAccess(argument: _sluice_v1_CheckAccessRequest, callback: grpc.requestCallback<_sluice_v1_CheckAccessResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface AccessServiceHandlers extends grpc.UntypedServiceImplementation {
  CheckAccess: grpc.handleUnaryCall<_sluice_v1_CheckAccessRequest__Output, _sluice_v1_CheckAccessResponse>;
  
}

export interface AccessServiceDefinition extends grpc.ServiceDefinition {
  CheckAccess: MethodDefinition<_sluice_v1_CheckAccessRequest, _sluice_v1_CheckAccessResponse, _sluice_v1_CheckAccessRequest__Output, _sluice_v1_CheckAccessResponse__Output>
}
