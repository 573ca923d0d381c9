// From proto/sluice/v1/decide.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DecideBatchRequest as _sluice_v1_DecideBatchRequest, DecideBatchRequest__Output as _sluice_v1_DecideBatchRequest__Output } from '../../sluice/v1/DecideBatchRequest.ts';
import type { DecideBatchResponse as _sluice_v1_DecideBatchResponse, DecideBatchResponse__Output as _sluice_v1_DecideBatchResponse__Output } from '../../sluice/v1/DecideBatchResponse.ts';
import type { DecideRequest as _sluice_v1_DecideRequest, DecideRequest__Output as _sluice_v1_DecideRequest__Output } from '../../sluice/v1/DecideRequest.ts';
import type { DecideResponse as _sluice_v1_DecideResponse, DecideResponse__Output as _sluice_v1_DecideResponse__Output } from '../../sluice/v1/DecideResponse.ts';

export interface DecideServiceClient extends grpc.Client {
  Decide(argument: _sluice_v1_DecideRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DecideResponse__Output>): grpc.ClientUnaryCall;
  Decide(argument: _sluice_v1_DecideRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DecideResponse__Output>): grpc.ClientUnaryCall;
  Decide(argument: _sluice_v1_DecideRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DecideResponse__Output>): grpc.ClientUnaryCall;
  Decide(argument: _sluice_v1_DecideRequest, callback: grpc.requestCallback<_sluice_v1_DecideResponse__Output>): grpc.ClientUnaryCall;
  decide(argument: _sluice_v1_DecideRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DecideResponse__Output>): grpc.ClientUnaryCall;
  decide(argument: _sluice_v1_DecideRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DecideResponse__Output>): grpc.ClientUnaryCall;
  decide(argument: _sluice_v1_DecideRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DecideResponse__Output>): grpc.ClientUnaryCall;
  decide(argument: _sluice_v1_DecideRequest, callback: grpc.requestCallback<_sluice_v1_DecideResponse__Output>): grpc.ClientUnaryCall;
  
  DecideBatch(argument: _sluice_v1_DecideBatchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DecideBatchResponse__Output>): grpc.ClientUnaryCall;
  DecideBatch(argument: _sluice_v1_DecideBatchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DecideBatchResponse__Output>): grpc.ClientUnaryCall;
  DecideBatch(argument: _sluice_v1_DecideBatchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DecideBatchResponse__Output>): grpc.ClientUnaryCall;
  DecideBatch(argument: _sluice_v1_DecideBatchRequest, callback: grpc.requestCallback<_sluice_v1_DecideBatchResponse__Output>): grpc.ClientUnaryCall;
  decideBatch(argument: _sluice_v1_DecideBatchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DecideBatchResponse__Output>): grpc.ClientUnaryCall;
  decideBatch(argument: _sluice_v1_DecideBatchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DecideBatchResponse__Output>): grpc.ClientUnaryCall;
  decideBatch(argument: _sluice_v1_DecideBatchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DecideBatchResponse__Output>): grpc.ClientUnaryCall;
  decideBatch(argument: _sluice_v1_DecideBatchRequest, callback: grpc.requestCallback<_sluice_v1_DecideBatchResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface DecideServiceHandlers extends grpc.UntypedServiceImplementation {
  Decide: grpc.handleUnaryCall<_sluice_v1_DecideRequest__Output, _sluice_v1_DecideResponse>;
  
  DecideBatch: grpc.handleUnaryCall<_sluice_v1_DecideBatchRequest__Output, _sluice_v1_DecideBatchResponse>;
  
}

export interface DecideServiceDefinition extends grpc.ServiceDefinition {
  Decide: MethodDefinition<_sluice_v1_DecideRequest, _sluice_v1_DecideResponse, _sluice_v1_DecideRequest__Output, _sluice_v1_DecideResponse__Output>
  DecideBatch: MethodDefinition<_sluice_v1_DecideBatchRequest, _sluice_v1_DecideBatchResponse, _sluice_v1_DecideBatchRequest__Output, _sluice_v1_DecideBatchResponse__Output>
}
