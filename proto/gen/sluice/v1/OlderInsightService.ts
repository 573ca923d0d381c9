// From proto/sluice/v1/older_insights.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { OlderAnswer as _sluice_v1_OlderAnswer, OlderAnswer__Output as _sluice_v1_OlderAnswer__Output } from '../../sluice/v1/OlderAnswer.ts';
import type { OlderQuestionRequest as _sluice_v1_OlderQuestionRequest, OlderQuestionRequest__Output as _sluice_v1_OlderQuestionRequest__Output } from '../../sluice/v1/OlderQuestionRequest.ts';

export interface OlderInsightServiceClient extends grpc.Client {
  AskFunnel(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  AskFunnel(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  AskFunnel(argument: _sluice_v1_OlderQuestionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  AskFunnel(argument: _sluice_v1_OlderQuestionRequest, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askFunnel(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askFunnel(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askFunnel(argument: _sluice_v1_OlderQuestionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askFunnel(argument: _sluice_v1_OlderQuestionRequest, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  
  AskRetention(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  AskRetention(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  AskRetention(argument: _sluice_v1_OlderQuestionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  AskRetention(argument: _sluice_v1_OlderQuestionRequest, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askRetention(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askRetention(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askRetention(argument: _sluice_v1_OlderQuestionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askRetention(argument: _sluice_v1_OlderQuestionRequest, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  
  AskTrend(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  AskTrend(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  AskTrend(argument: _sluice_v1_OlderQuestionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  AskTrend(argument: _sluice_v1_OlderQuestionRequest, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askTrend(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askTrend(argument: _sluice_v1_OlderQuestionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askTrend(argument: _sluice_v1_OlderQuestionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  askTrend(argument: _sluice_v1_OlderQuestionRequest, callback: grpc.requestCallback<_sluice_v1_OlderAnswer__Output>): grpc.ClientUnaryCall;
  
}

export interface OlderInsightServiceHandlers extends grpc.UntypedServiceImplementation {
  AskFunnel: grpc.handleUnaryCall<_sluice_v1_OlderQuestionRequest__Output, _sluice_v1_OlderAnswer>;
  
  AskRetention: grpc.handleUnaryCall<_sluice_v1_OlderQuestionRequest__Output, _sluice_v1_OlderAnswer>;
  
  AskTrend: grpc.handleUnaryCall<_sluice_v1_OlderQuestionRequest__Output, _sluice_v1_OlderAnswer>;
  
}

export interface OlderInsightServiceDefinition extends grpc.ServiceDefinition {
  AskFunnel: MethodDefinition<_sluice_v1_OlderQuestionRequest, _sluice_v1_OlderAnswer, _sluice_v1_OlderQuestionRequest__Output, _sluice_v1_OlderAnswer__Output>
  AskRetention: MethodDefinition<_sluice_v1_OlderQuestionRequest, _sluice_v1_OlderAnswer, _sluice_v1_OlderQuestionRequest__Output, _sluice_v1_OlderAnswer__Output>
  AskTrend: MethodDefinition<_sluice_v1_OlderQuestionRequest, _sluice_v1_OlderAnswer, _sluice_v1_OlderQuestionRequest__Output, _sluice_v1_OlderAnswer__Output>
}
