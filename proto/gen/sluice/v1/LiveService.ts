// From proto/sluice/v1/live.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { LiveMessage as _sluice_v1_LiveMessage, LiveMessage__Output as _sluice_v1_LiveMessage__Output } from '../../sluice/v1/LiveMessage.ts';
import type { WatchEventsRequest as _sluice_v1_WatchEventsRequest, WatchEventsRequest__Output as _sluice_v1_WatchEventsRequest__Output } from '../../sluice/v1/WatchEventsRequest.ts';

export interface LiveServiceClient extends grpc.Client {
  WatchEvents(argument: _sluice_v1_WatchEventsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_LiveMessage__Output>;
  WatchEvents(argument: _sluice_v1_WatchEventsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_LiveMessage__Output>;
  watchEvents(argument: _sluice_v1_WatchEventsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_LiveMessage__Output>;
  watchEvents(argument: _sluice_v1_WatchEventsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_LiveMessage__Output>;
  
}

export interface LiveServiceHandlers extends grpc.UntypedServiceImplementation {
  WatchEvents: grpc.handleServerStreamingCall<_sluice_v1_WatchEventsRequest__Output, _sluice_v1_LiveMessage>;
  
}

export interface LiveServiceDefinition extends grpc.ServiceDefinition {
  WatchEvents: MethodDefinition<_sluice_v1_WatchEventsRequest, _sluice_v1_LiveMessage, _sluice_v1_WatchEventsRequest__Output, _sluice_v1_LiveMessage__Output>
}
