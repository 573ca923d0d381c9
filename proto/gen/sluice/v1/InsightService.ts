// From proto/sluice/v1/insights.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { RunQueryRequest as _sluice_v1_RunQueryRequest, RunQueryRequest__Output as _sluice_v1_RunQueryRequest__Output } from '../../sluice/v1/RunQueryRequest.ts';
import type { RunQueryResponse as _sluice_v1_RunQueryResponse, RunQueryResponse__Output as _sluice_v1_RunQueryResponse__Output } from '../../sluice/v1/RunQueryResponse.ts';

export interface InsightServiceClient extends grpc.Client {
  RunQuery(argument: _sluice_v1_RunQueryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RunQueryResponse__Output>): grpc.ClientUnaryCall;
  RunQuery(argument: _sluice_v1_RunQueryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_RunQueryResponse__Output>): grpc.ClientUnaryCall;
  RunQuery(argument: _sluice_v1_RunQueryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RunQueryResponse__Output>): grpc.ClientUnaryCall;
  RunQuery(argument: _sluice_v1_RunQueryRequest, callback: grpc.requestCallback<_sluice_v1_RunQueryResponse__Output>): grpc.ClientUnaryCall;
  runQuery(argument: _sluice_v1_RunQueryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RunQueryResponse__Output>): grpc.ClientUnaryCall;
  runQuery(argument: _sluice_v1_RunQueryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_RunQueryResponse__Output>): grpc.ClientUnaryCall;
  runQuery(argument: _sluice_v1_RunQueryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RunQueryResponse__Output>): grpc.ClientUnaryCall;
  runQuery(argument: _sluice_v1_RunQueryRequest, callback: grpc.requestCallback<_sluice_v1_RunQueryResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface InsightServiceHandlers extends grpc.UntypedServiceImplementation {
  RunQuery: grpc.handleUnaryCall<_sluice_v1_RunQueryRequest__Output, _sluice_v1_RunQueryResponse>;
  
}

export interface InsightServiceDefinition extends grpc.ServiceDefinition {
  RunQuery: MethodDefinition<_sluice_v1_RunQueryRequest, _sluice_v1_RunQueryResponse, _sluice_v1_RunQueryRequest__Output, _sluice_v1_RunQueryResponse__Output>
}
