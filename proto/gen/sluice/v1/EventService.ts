// From proto/sluice/v1/events.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetEventRequest as _sluice_v1_GetEventRequest, GetEventRequest__Output as _sluice_v1_GetEventRequest__Output } from '../../sluice/v1/GetEventRequest.ts';
import type { GetEventResponse as _sluice_v1_GetEventResponse, GetEventResponse__Output as _sluice_v1_GetEventResponse__Output } from '../../sluice/v1/GetEventResponse.ts';
import type { ListEventValuesRequest as _sluice_v1_ListEventValuesRequest, ListEventValuesRequest__Output as _sluice_v1_ListEventValuesRequest__Output } from '../../sluice/v1/ListEventValuesRequest.ts';
import type { ListEventValuesResponse as _sluice_v1_ListEventValuesResponse, ListEventValuesResponse__Output as _sluice_v1_ListEventValuesResponse__Output } from '../../sluice/v1/ListEventValuesResponse.ts';
import type { ListEventsRequest as _sluice_v1_ListEventsRequest, ListEventsRequest__Output as _sluice_v1_ListEventsRequest__Output } from '../../sluice/v1/ListEventsRequest.ts';
import type { ListEventsResponse as _sluice_v1_ListEventsResponse, ListEventsResponse__Output as _sluice_v1_ListEventsResponse__Output } from '../../sluice/v1/ListEventsResponse.ts';
import type { ListExportedEventsRequest as _sluice_v1_ListExportedEventsRequest, ListExportedEventsRequest__Output as _sluice_v1_ListExportedEventsRequest__Output } from '../../sluice/v1/ListExportedEventsRequest.ts';
import type { ListExportedEventsResponse as _sluice_v1_ListExportedEventsResponse, ListExportedEventsResponse__Output as _sluice_v1_ListExportedEventsResponse__Output } from '../../sluice/v1/ListExportedEventsResponse.ts';

export interface EventServiceClient extends grpc.Client {
  GetEvent(argument: _sluice_v1_GetEventRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetEventResponse__Output>): grpc.ClientUnaryCall;
  GetEvent(argument: _sluice_v1_GetEventRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetEventResponse__Output>): grpc.ClientUnaryCall;
  GetEvent(argument: _sluice_v1_GetEventRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetEventResponse__Output>): grpc.ClientUnaryCall;
  GetEvent(argument: _sluice_v1_GetEventRequest, callback: grpc.requestCallback<_sluice_v1_GetEventResponse__Output>): grpc.ClientUnaryCall;
  getEvent(argument: _sluice_v1_GetEventRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetEventResponse__Output>): grpc.ClientUnaryCall;
  getEvent(argument: _sluice_v1_GetEventRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetEventResponse__Output>): grpc.ClientUnaryCall;
  getEvent(argument: _sluice_v1_GetEventRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetEventResponse__Output>): grpc.ClientUnaryCall;
  getEvent(argument: _sluice_v1_GetEventRequest, callback: grpc.requestCallback<_sluice_v1_GetEventResponse__Output>): grpc.ClientUnaryCall;
  
  ListEventValues(argument: _sluice_v1_ListEventValuesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventValuesResponse__Output>): grpc.ClientUnaryCall;
  ListEventValues(argument: _sluice_v1_ListEventValuesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListEventValuesResponse__Output>): grpc.ClientUnaryCall;
  ListEventValues(argument: _sluice_v1_ListEventValuesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventValuesResponse__Output>): grpc.ClientUnaryCall;
  ListEventValues(argument: _sluice_v1_ListEventValuesRequest, callback: grpc.requestCallback<_sluice_v1_ListEventValuesResponse__Output>): grpc.ClientUnaryCall;
  listEventValues(argument: _sluice_v1_ListEventValuesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventValuesResponse__Output>): grpc.ClientUnaryCall;
  listEventValues(argument: _sluice_v1_ListEventValuesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListEventValuesResponse__Output>): grpc.ClientUnaryCall;
  listEventValues(argument: _sluice_v1_ListEventValuesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventValuesResponse__Output>): grpc.ClientUnaryCall;
  listEventValues(argument: _sluice_v1_ListEventValuesRequest, callback: grpc.requestCallback<_sluice_v1_ListEventValuesResponse__Output>): grpc.ClientUnaryCall;
  
  ListEvents(argument: _sluice_v1_ListEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _sluice_v1_ListEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _sluice_v1_ListEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _sluice_v1_ListEventsRequest, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _sluice_v1_ListEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _sluice_v1_ListEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _sluice_v1_ListEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _sluice_v1_ListEventsRequest, callback: grpc.requestCallback<_sluice_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  
  ListExportedEvents(argument: _sluice_v1_ListExportedEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListExportedEventsResponse__Output>): grpc.ClientUnaryCall;
  ListExportedEvents(argument: _sluice_v1_ListExportedEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListExportedEventsResponse__Output>): grpc.ClientUnaryCall;
  ListExportedEvents(argument: _sluice_v1_ListExportedEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListExportedEventsResponse__Output>): grpc.ClientUnaryCall;
  ListExportedEvents(argument: _sluice_v1_ListExportedEventsRequest, callback: grpc.requestCallback<_sluice_v1_ListExportedEventsResponse__Output>): grpc.ClientUnaryCall;
  listExportedEvents(argument: _sluice_v1_ListExportedEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListExportedEventsResponse__Output>): grpc.ClientUnaryCall;
  listExportedEvents(argument: _sluice_v1_ListExportedEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListExportedEventsResponse__Output>): grpc.ClientUnaryCall;
  listExportedEvents(argument: _sluice_v1_ListExportedEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListExportedEventsResponse__Output>): grpc.ClientUnaryCall;
  listExportedEvents(argument: _sluice_v1_ListExportedEventsRequest, callback: grpc.requestCallback<_sluice_v1_ListExportedEventsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface EventServiceHandlers extends grpc.UntypedServiceImplementation {
  GetEvent: grpc.handleUnaryCall<_sluice_v1_GetEventRequest__Output, _sluice_v1_GetEventResponse>;
  
  ListEventValues: grpc.handleUnaryCall<_sluice_v1_ListEventValuesRequest__Output, _sluice_v1_ListEventValuesResponse>;
  
  ListEvents: grpc.handleUnaryCall<_sluice_v1_ListEventsRequest__Output, _sluice_v1_ListEventsResponse>;
  
  ListExportedEvents: grpc.handleUnaryCall<_sluice_v1_ListExportedEventsRequest__Output, _sluice_v1_ListExportedEventsResponse>;
  
}

export interface EventServiceDefinition extends grpc.ServiceDefinition {
  GetEvent: MethodDefinition<_sluice_v1_GetEventRequest, _sluice_v1_GetEventResponse, _sluice_v1_GetEventRequest__Output, _sluice_v1_GetEventResponse__Output>
  ListEventValues: MethodDefinition<_sluice_v1_ListEventValuesRequest, _sluice_v1_ListEventValuesResponse, _sluice_v1_ListEventValuesRequest__Output, _sluice_v1_ListEventValuesResponse__Output>
  ListEvents: MethodDefinition<_sluice_v1_ListEventsRequest, _sluice_v1_ListEventsResponse, _sluice_v1_ListEventsRequest__Output, _sluice_v1_ListEventsResponse__Output>
  ListExportedEvents: MethodDefinition<_sluice_v1_ListExportedEventsRequest, _sluice_v1_ListExportedEventsResponse, _sluice_v1_ListExportedEventsRequest__Output, _sluice_v1_ListExportedEventsResponse__Output>
}
