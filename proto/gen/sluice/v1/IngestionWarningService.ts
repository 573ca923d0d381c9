// From proto/sluice/v1/ingestion_warnings.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ListIngestionWarningsRequest as _sluice_v1_ListIngestionWarningsRequest, ListIngestionWarningsRequest__Output as _sluice_v1_ListIngestionWarningsRequest__Output } from '../../sluice/v1/ListIngestionWarningsRequest.ts';
import type { ListIngestionWarningsResponse as _sluice_v1_ListIngestionWarningsResponse, ListIngestionWarningsResponse__Output as _sluice_v1_ListIngestionWarningsResponse__Output } from '../../sluice/v1/ListIngestionWarningsResponse.ts';

export interface IngestionWarningServiceClient extends grpc.Client {
  ListIngestionWarnings(argument: _sluice_v1_ListIngestionWarningsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListIngestionWarningsResponse__Output>): grpc.ClientUnaryCall;
  ListIngestionWarnings(argument: _sluice_v1_ListIngestionWarningsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListIngestionWarningsResponse__Output>): grpc.ClientUnaryCall;
  ListIngestionWarnings(argument: _sluice_v1_ListIngestionWarningsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListIngestionWarningsResponse__Output>): grpc.ClientUnaryCall;
  ListIngestionWarnings(argument: _sluice_v1_ListIngestionWarningsRequest, callback: grpc.requestCallback<_sluice_v1_ListIngestionWarningsResponse__Output>): grpc.ClientUnaryCall;
  listIngestionWarnings(argument: _sluice_v1_ListIngestionWarningsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListIngestionWarningsResponse__Output>): grpc.ClientUnaryCall;
  listIngestionWarnings(argument: _sluice_v1_ListIngestionWarningsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListIngestionWarningsResponse__Output>): grpc.ClientUnaryCall;
  listIngestionWarnings(argument: _sluice_v1_ListIngestionWarningsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListIngestionWarningsResponse__Output>): grpc.ClientUnaryCall;
  listIngestionWarnings(argument: _sluice_v1_ListIngestionWarningsRequest, callback: grpc.requestCallback<_sluice_v1_ListIngestionWarningsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface IngestionWarningServiceHandlers extends grpc.UntypedServiceImplementation {
  ListIngestionWarnings: grpc.handleUnaryCall<_sluice_v1_ListIngestionWarningsRequest__Output, _sluice_v1_ListIngestionWarningsResponse>;
  
}

export interface IngestionWarningServiceDefinition extends grpc.ServiceDefinition {
  ListIngestionWarnings: MethodDefinition<_sluice_v1_ListIngestionWarningsRequest, _sluice_v1_ListIngestionWarningsResponse, _sluice_v1_ListIngestionWarningsRequest__Output, _sluice_v1_ListIngestionWarningsResponse__Output>
}
