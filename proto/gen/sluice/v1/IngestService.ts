// From proto/sluice/v1/ingest.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CaptureBatchRequest as _sluice_v1_CaptureBatchRequest, CaptureBatchRequest__Output as _sluice_v1_CaptureBatchRequest__Output } from '../../sluice/v1/CaptureBatchRequest.ts';
import type { CaptureRequest as _sluice_v1_CaptureRequest, CaptureRequest__Output as _sluice_v1_CaptureRequest__Output } from '../../sluice/v1/CaptureRequest.ts';
import type { CaptureResponse as _sluice_v1_CaptureResponse, CaptureResponse__Output as _sluice_v1_CaptureResponse__Output } from '../../sluice/v1/CaptureResponse.ts';
import type { IngestBatchRequest as _sluice_v1_IngestBatchRequest, IngestBatchRequest__Output as _sluice_v1_IngestBatchRequest__Output } from '../../sluice/v1/IngestBatchRequest.ts';
import type { IngestBatchResponse as _sluice_v1_IngestBatchResponse, IngestBatchResponse__Output as _sluice_v1_IngestBatchResponse__Output } from '../../sluice/v1/IngestBatchResponse.ts';
import type { ReportWarningsRequest as _sluice_v1_ReportWarningsRequest, ReportWarningsRequest__Output as _sluice_v1_ReportWarningsRequest__Output } from '../../sluice/v1/ReportWarningsRequest.ts';
import type { ReportWarningsResponse as _sluice_v1_ReportWarningsResponse, ReportWarningsResponse__Output as _sluice_v1_ReportWarningsResponse__Output } from '../../sluice/v1/ReportWarningsResponse.ts';

export interface IngestServiceClient extends grpc.Client {
  Capture(argument: _sluice_v1_CaptureRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  Capture(argument: _sluice_v1_CaptureRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  Capture(argument: _sluice_v1_CaptureRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  Capture(argument: _sluice_v1_CaptureRequest, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  capture(argument: _sluice_v1_CaptureRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  capture(argument: _sluice_v1_CaptureRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  capture(argument: _sluice_v1_CaptureRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  capture(argument: _sluice_v1_CaptureRequest, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  
  CaptureBatch(argument: _sluice_v1_CaptureBatchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  CaptureBatch(argument: _sluice_v1_CaptureBatchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  CaptureBatch(argument: _sluice_v1_CaptureBatchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  CaptureBatch(argument: _sluice_v1_CaptureBatchRequest, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  captureBatch(argument: _sluice_v1_CaptureBatchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  captureBatch(argument: _sluice_v1_CaptureBatchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  captureBatch(argument: _sluice_v1_CaptureBatchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  captureBatch(argument: _sluice_v1_CaptureBatchRequest, callback: grpc.requestCallback<_sluice_v1_CaptureResponse__Output>): grpc.ClientUnaryCall;
  
  IngestBatch(argument: _sluice_v1_IngestBatchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_IngestBatchResponse__Output>): grpc.ClientUnaryCall;
  IngestBatch(argument: _sluice_v1_IngestBatchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_IngestBatchResponse__Output>): grpc.ClientUnaryCall;
  IngestBatch(argument: _sluice_v1_IngestBatchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_IngestBatchResponse__Output>): grpc.ClientUnaryCall;
  IngestBatch(argument: _sluice_v1_IngestBatchRequest, callback: grpc.requestCallback<_sluice_v1_IngestBatchResponse__Output>): grpc.ClientUnaryCall;
  ingestBatch(argument: _sluice_v1_IngestBatchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_IngestBatchResponse__Output>): grpc.ClientUnaryCall;
  ingestBatch(argument: _sluice_v1_IngestBatchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_IngestBatchResponse__Output>): grpc.ClientUnaryCall;
  ingestBatch(argument: _sluice_v1_IngestBatchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_IngestBatchResponse__Output>): grpc.ClientUnaryCall;
  ingestBatch(argument: _sluice_v1_IngestBatchRequest, callback: grpc.requestCallback<_sluice_v1_IngestBatchResponse__Output>): grpc.ClientUnaryCall;
  
  ReportWarnings(argument: _sluice_v1_ReportWarningsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ReportWarningsResponse__Output>): grpc.ClientUnaryCall;
  ReportWarnings(argument: _sluice_v1_ReportWarningsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ReportWarningsResponse__Output>): grpc.ClientUnaryCall;
  ReportWarnings(argument: _sluice_v1_ReportWarningsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ReportWarningsResponse__Output>): grpc.ClientUnaryCall;
  ReportWarnings(argument: _sluice_v1_ReportWarningsRequest, callback: grpc.requestCallback<_sluice_v1_ReportWarningsResponse__Output>): grpc.ClientUnaryCall;
  reportWarnings(argument: _sluice_v1_ReportWarningsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ReportWarningsResponse__Output>): grpc.ClientUnaryCall;
  reportWarnings(argument: _sluice_v1_ReportWarningsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ReportWarningsResponse__Output>): grpc.ClientUnaryCall;
  reportWarnings(argument: _sluice_v1_ReportWarningsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ReportWarningsResponse__Output>): grpc.ClientUnaryCall;
  reportWarnings(argument: _sluice_v1_ReportWarningsRequest, callback: grpc.requestCallback<_sluice_v1_ReportWarningsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface IngestServiceHandlers extends grpc.UntypedServiceImplementation {
  Capture: grpc.handleUnaryCall<_sluice_v1_CaptureRequest__Output, _sluice_v1_CaptureResponse>;
  
  CaptureBatch: grpc.handleUnaryCall<_sluice_v1_CaptureBatchRequest__Output, _sluice_v1_CaptureResponse>;
  
  IngestBatch: grpc.handleUnaryCall<_sluice_v1_IngestBatchRequest__Output, _sluice_v1_IngestBatchResponse>;
  
  ReportWarnings: grpc.handleUnaryCall<_sluice_v1_ReportWarningsRequest__Output, _sluice_v1_ReportWarningsResponse>;
  
}

export interface IngestServiceDefinition extends grpc.ServiceDefinition {
  Capture: MethodDefinition<_sluice_v1_CaptureRequest, _sluice_v1_CaptureResponse, _sluice_v1_CaptureRequest__Output, _sluice_v1_CaptureResponse__Output>
  CaptureBatch: MethodDefinition<_sluice_v1_CaptureBatchRequest, _sluice_v1_CaptureResponse, _sluice_v1_CaptureBatchRequest__Output, _sluice_v1_CaptureResponse__Output>
  IngestBatch: MethodDefinition<_sluice_v1_IngestBatchRequest, _sluice_v1_IngestBatchResponse, _sluice_v1_IngestBatchRequest__Output, _sluice_v1_IngestBatchResponse__Output>
  ReportWarnings: MethodDefinition<_sluice_v1_ReportWarningsRequest, _sluice_v1_ReportWarningsResponse, _sluice_v1_ReportWarningsRequest__Output, _sluice_v1_ReportWarningsResponse__Output>
}
