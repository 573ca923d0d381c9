// From proto/sluice/v1/event_definitions.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { EventDefinition as _sluice_v1_EventDefinition, EventDefinition__Output as _sluice_v1_EventDefinition__Output } from '../../sluice/v1/EventDefinition.ts';
import type { GetEventDefinitionRequest as _sluice_v1_GetEventDefinitionRequest, GetEventDefinitionRequest__Output as _sluice_v1_GetEventDefinitionRequest__Output } from '../../sluice/v1/GetEventDefinitionRequest.ts';
import type { ListEventDefinitionsRequest as _sluice_v1_ListEventDefinitionsRequest, ListEventDefinitionsRequest__Output as _sluice_v1_ListEventDefinitionsRequest__Output } from '../../sluice/v1/ListEventDefinitionsRequest.ts';
import type { ListEventDefinitionsResponse as _sluice_v1_ListEventDefinitionsResponse, ListEventDefinitionsResponse__Output as _sluice_v1_ListEventDefinitionsResponse__Output } from '../../sluice/v1/ListEventDefinitionsResponse.ts';
import type { UpdateEventDefinitionRequest as _sluice_v1_UpdateEventDefinitionRequest, UpdateEventDefinitionRequest__Output as _sluice_v1_UpdateEventDefinitionRequest__Output } from '../../sluice/v1/UpdateEventDefinitionRequest.ts';

export interface EventDefinitionServiceClient extends grpc.Client {
  GetEventDefinition(argument: _sluice_v1_GetEventDefinitionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  GetEventDefinition(argument: _sluice_v1_GetEventDefinitionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  GetEventDefinition(argument: _sluice_v1_GetEventDefinitionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  GetEventDefinition(argument: _sluice_v1_GetEventDefinitionRequest, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  getEventDefinition(argument: _sluice_v1_GetEventDefinitionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  getEventDefinition(argument: _sluice_v1_GetEventDefinitionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  getEventDefinition(argument: _sluice_v1_GetEventDefinitionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  getEventDefinition(argument: _sluice_v1_GetEventDefinitionRequest, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  
  ListEventDefinitions(argument: _sluice_v1_ListEventDefinitionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  ListEventDefinitions(argument: _sluice_v1_ListEventDefinitionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListEventDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  ListEventDefinitions(argument: _sluice_v1_ListEventDefinitionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  ListEventDefinitions(argument: _sluice_v1_ListEventDefinitionsRequest, callback: grpc.requestCallback<_sluice_v1_ListEventDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  listEventDefinitions(argument: _sluice_v1_ListEventDefinitionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  listEventDefinitions(argument: _sluice_v1_ListEventDefinitionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListEventDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  listEventDefinitions(argument: _sluice_v1_ListEventDefinitionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListEventDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  listEventDefinitions(argument: _sluice_v1_ListEventDefinitionsRequest, callback: grpc.requestCallback<_sluice_v1_ListEventDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateEventDefinition(argument: _sluice_v1_UpdateEventDefinitionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  UpdateEventDefinition(argument: _sluice_v1_UpdateEventDefinitionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  UpdateEventDefinition(argument: _sluice_v1_UpdateEventDefinitionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  UpdateEventDefinition(argument: _sluice_v1_UpdateEventDefinitionRequest, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  updateEventDefinition(argument: _sluice_v1_UpdateEventDefinitionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  updateEventDefinition(argument: _sluice_v1_UpdateEventDefinitionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  updateEventDefinition(argument: _sluice_v1_UpdateEventDefinitionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  updateEventDefinition(argument: _sluice_v1_UpdateEventDefinitionRequest, callback: grpc.requestCallback<_sluice_v1_EventDefinition__Output>): grpc.ClientUnaryCall;
  
}

export interface EventDefinitionServiceHandlers extends grpc.UntypedServiceImplementation {
  GetEventDefinition: grpc.handleUnaryCall<_sluice_v1_GetEventDefinitionRequest__Output, _sluice_v1_EventDefinition>;
  
  ListEventDefinitions: grpc.handleUnaryCall<_sluice_v1_ListEventDefinitionsRequest__Output, _sluice_v1_ListEventDefinitionsResponse>;
  
  UpdateEventDefinition: grpc.handleUnaryCall<_sluice_v1_UpdateEventDefinitionRequest__Output, _sluice_v1_EventDefinition>;
  
}

export interface EventDefinitionServiceDefinition extends grpc.ServiceDefinition {
  GetEventDefinition: MethodDefinition<_sluice_v1_GetEventDefinitionRequest, _sluice_v1_EventDefinition, _sluice_v1_GetEventDefinitionRequest__Output, _sluice_v1_EventDefinition__Output>
  ListEventDefinitions: MethodDefinition<_sluice_v1_ListEventDefinitionsRequest, _sluice_v1_ListEventDefinitionsResponse, _sluice_v1_ListEventDefinitionsRequest__Output, _sluice_v1_ListEventDefinitionsResponse__Output>
  UpdateEventDefinition: MethodDefinition<_sluice_v1_UpdateEventDefinitionRequest, _sluice_v1_EventDefinition, _sluice_v1_UpdateEventDefinitionRequest__Output, _sluice_v1_EventDefinition__Output>
}
