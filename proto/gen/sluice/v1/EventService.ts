// From proto/sluice/v1/events.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetEventRequest as _sluice_v1_GetEventRequest, GetEventRequest__Output as _sluice_v1_GetEventRequest__Output } from '../../sluice/v1/GetEventRequest.ts';
import type { ListEventsRequest as _sluice_v1_ListEventsRequest, ListEventsRequest__Output as _sluice_v1_ListEventsRequest__Output } from '../../sluice/v1/ListEventsRequest.ts';
import type { ListEventsResponse as _sluice_v1_ListEventsResponse, ListEventsResponse__Output as _sluice_v1_ListEventsResponse__Output } from '../../sluice/v1/ListEventsResponse.ts';
import type { StoredEvent as _sluice_v1_StoredEvent, StoredEvent__Output as _sluice_v1_StoredEvent__Output } from '../../sluice/v1/StoredEvent.ts';

export interface EventServiceClient extends grpc.Client {
  GetEvent(argument: _sluice_v1_GetEventRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_StoredEvent__Output>): grpc.ClientUnaryCall;
  GetEvent(argument: _sluice_v1_GetEventRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_StoredEvent__Output>): grpc.ClientUnaryCall;
  GetEvent(argument: _sluice_v1_GetEventRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_StoredEvent__Output>): grpc.ClientUnaryCall;
  GetEvent(argument: _sluice_v1_GetEventRequest, callback: grpc.requestCallback<_sluice_v1_StoredEvent__Output>): grpc.ClientUnaryCall;
  getEvent(argument: _sluice_v1_GetEventRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_StoredEvent__Output>): grpc.ClientUnaryCall;
  getEvent(argument: _sluice_v1_GetEventRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_StoredEvent__Output>): grpc.ClientUnaryCall;
  getEvent(argument: _sluice_v1_GetEventRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_StoredEvent__Output>): grpc.ClientUnaryCall;
  getEvent(argument: _sluice_v1_GetEventRequest, callback: grpc.requestCallback<_sluice_v1_StoredEvent__Output>): grpc.ClientUnaryCall;
  
  ListEvents(argument: _sluice_v1_ListEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _sluice_v1_ListEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _sluice_v1_ListEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _sluice_v1_ListEventsRequest, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _sluice_v1_ListEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _sluice_v1_ListEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _sluice_v1_ListEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _sluice_v1_ListEventsRequest, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface EventServiceHandlers extends grpc.UntypedServiceImplementation {
  GetEvent: grpc.handleUnaryCall<_sluice_v1_GetEventRequest__Output, _sluice_v1_StoredEvent>;
  
  ListEvents: grpc.handleUnaryCall<_sluice_v1_ListEventsRequest__Output, _sluice_v1_ListEventsResponse>;
  
}

export interface EventServiceDefinition extends grpc.ServiceDefinition {
  GetEvent: MethodDefinition<_sluice_v1_GetEventRequest, _sluice_v1_StoredEvent, _sluice_v1_GetEventRequest__Output, _sluice_v1_StoredEvent__Output>
  ListEvents: MethodDefinition<_sluice_v1_ListEventsRequest, _sluice_v1_ListEventsResponse, _sluice_v1_ListEventsRequest__Output, _sluice_v1_ListEventsResponse__Output>
}
