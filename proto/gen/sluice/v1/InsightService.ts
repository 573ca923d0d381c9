// From proto/sluice/v1/insights.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CancelQueryRequest as _sluice_v1_CancelQueryRequest, CancelQueryRequest__Output as _sluice_v1_CancelQueryRequest__Output } from '../../sluice/v1/CancelQueryRequest.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetQueryRequest as _sluice_v1_GetQueryRequest, GetQueryRequest__Output as _sluice_v1_GetQueryRequest__Output } from '../../sluice/v1/GetQueryRequest.ts';
import type { GetQueryResponse as _sluice_v1_GetQueryResponse, GetQueryResponse__Output as _sluice_v1_GetQueryResponse__Output } from '../../sluice/v1/GetQueryResponse.ts';
import type { RunQueryRequest as _sluice_v1_RunQueryRequest, RunQueryRequest__Output as _sluice_v1_RunQueryRequest__Output } from '../../sluice/v1/RunQueryRequest.ts';
import type { RunQueryResponse as _sluice_v1_RunQueryResponse, RunQueryResponse__Output as _sluice_v1_RunQueryResponse__Output } from '../../sluice/v1/RunQueryResponse.ts';

export interface InsightServiceClient extends grpc.Client {
  CancelQuery(argument: _sluice_v1_CancelQueryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  CancelQuery(argument: _sluice_v1_CancelQueryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  CancelQuery(argument: _sluice_v1_CancelQueryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  CancelQuery(argument: _sluice_v1_CancelQueryRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  cancelQuery(argument: _sluice_v1_CancelQueryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  cancelQuery(argument: _sluice_v1_CancelQueryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  cancelQuery(argument: _sluice_v1_CancelQueryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  cancelQuery(argument: _sluice_v1_CancelQueryRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  GetQuery(argument: _sluice_v1_GetQueryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetQueryResponse__Output>): grpc.ClientUnaryCall;
  GetQuery(argument: _sluice_v1_GetQueryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetQueryResponse__Output>): grpc.ClientUnaryCall;
  GetQuery(argument: _sluice_v1_GetQueryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetQueryResponse__Output>): grpc.ClientUnaryCall;
  GetQuery(argument: _sluice_v1_GetQueryRequest, callback: grpc.requestCallback<_sluice_v1_GetQueryResponse__Output>): grpc.ClientUnaryCall;
  getQuery(argument: _sluice_v1_GetQueryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetQueryResponse__Output>): grpc.ClientUnaryCall;
  getQuery(argument: _sluice_v1_GetQueryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetQueryResponse__Output>): grpc.ClientUnaryCall;
  getQuery(argument: _sluice_v1_GetQueryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetQueryResponse__Output>): grpc.ClientUnaryCall;
  getQuery(argument: _sluice_v1_GetQueryRequest, callback: grpc.requestCallback<_sluice_v1_GetQueryResponse__Output>): grpc.ClientUnaryCall;
  
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
  CancelQuery: grpc.handleUnaryCall<_sluice_v1_CancelQueryRequest__Output, _google_protobuf_Empty>;
  
  GetQuery: grpc.handleUnaryCall<_sluice_v1_GetQueryRequest__Output, _sluice_v1_GetQueryResponse>;
  
  RunQuery: grpc.handleUnaryCall<_sluice_v1_RunQueryRequest__Output, _sluice_v1_RunQueryResponse>;
  
}

export interface InsightServiceDefinition extends grpc.ServiceDefinition {
  CancelQuery: MethodDefinition<_sluice_v1_CancelQueryRequest, _google_protobuf_Empty, _sluice_v1_CancelQueryRequest__Output, _google_protobuf_Empty__Output>
  GetQuery: MethodDefinition<_sluice_v1_GetQueryRequest, _sluice_v1_GetQueryResponse, _sluice_v1_GetQueryRequest__Output, _sluice_v1_GetQueryResponse__Output>
  RunQuery: MethodDefinition<_sluice_v1_RunQueryRequest, _sluice_v1_RunQueryResponse, _sluice_v1_RunQueryRequest__Output, _sluice_v1_RunQueryResponse__Output>
}
