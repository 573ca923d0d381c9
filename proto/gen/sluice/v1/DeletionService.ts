// From proto/sluice/v1/deletions.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CancelDeletionRequest as _sluice_v1_CancelDeletionRequest, CancelDeletionRequest__Output as _sluice_v1_CancelDeletionRequest__Output } from '../../sluice/v1/CancelDeletionRequest.ts';
import type { CreateDeletionRequest as _sluice_v1_CreateDeletionRequest, CreateDeletionRequest__Output as _sluice_v1_CreateDeletionRequest__Output } from '../../sluice/v1/CreateDeletionRequest.ts';
import type { Deletion as _sluice_v1_Deletion, Deletion__Output as _sluice_v1_Deletion__Output } from '../../sluice/v1/Deletion.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetDeletionRequest as _sluice_v1_GetDeletionRequest, GetDeletionRequest__Output as _sluice_v1_GetDeletionRequest__Output } from '../../sluice/v1/GetDeletionRequest.ts';
import type { ListDeletionsRequest as _sluice_v1_ListDeletionsRequest, ListDeletionsRequest__Output as _sluice_v1_ListDeletionsRequest__Output } from '../../sluice/v1/ListDeletionsRequest.ts';
import type { ListDeletionsResponse as _sluice_v1_ListDeletionsResponse, ListDeletionsResponse__Output as _sluice_v1_ListDeletionsResponse__Output } from '../../sluice/v1/ListDeletionsResponse.ts';

export interface DeletionServiceClient extends grpc.Client {
  CancelDeletion(argument: _sluice_v1_CancelDeletionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  CancelDeletion(argument: _sluice_v1_CancelDeletionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  CancelDeletion(argument: _sluice_v1_CancelDeletionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  CancelDeletion(argument: _sluice_v1_CancelDeletionRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  cancelDeletion(argument: _sluice_v1_CancelDeletionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  cancelDeletion(argument: _sluice_v1_CancelDeletionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  cancelDeletion(argument: _sluice_v1_CancelDeletionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  cancelDeletion(argument: _sluice_v1_CancelDeletionRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  CreateDeletion(argument: _sluice_v1_CreateDeletionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  CreateDeletion(argument: _sluice_v1_CreateDeletionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  CreateDeletion(argument: _sluice_v1_CreateDeletionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  CreateDeletion(argument: _sluice_v1_CreateDeletionRequest, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  createDeletion(argument: _sluice_v1_CreateDeletionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  createDeletion(argument: _sluice_v1_CreateDeletionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  createDeletion(argument: _sluice_v1_CreateDeletionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  createDeletion(argument: _sluice_v1_CreateDeletionRequest, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  
  GetDeletion(argument: _sluice_v1_GetDeletionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  GetDeletion(argument: _sluice_v1_GetDeletionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  GetDeletion(argument: _sluice_v1_GetDeletionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  GetDeletion(argument: _sluice_v1_GetDeletionRequest, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  getDeletion(argument: _sluice_v1_GetDeletionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  getDeletion(argument: _sluice_v1_GetDeletionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  getDeletion(argument: _sluice_v1_GetDeletionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  getDeletion(argument: _sluice_v1_GetDeletionRequest, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  
  ListDeletions(argument: _sluice_v1_ListDeletionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  ListDeletions(argument: _sluice_v1_ListDeletionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  ListDeletions(argument: _sluice_v1_ListDeletionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  ListDeletions(argument: _sluice_v1_ListDeletionsRequest, callback: grpc.requestCallback<_sluice_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  listDeletions(argument: _sluice_v1_ListDeletionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  listDeletions(argument: _sluice_v1_ListDeletionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  listDeletions(argument: _sluice_v1_ListDeletionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  listDeletions(argument: _sluice_v1_ListDeletionsRequest, callback: grpc.requestCallback<_sluice_v1_ListDeletionsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface DeletionServiceHandlers extends grpc.UntypedServiceImplementation {
  CancelDeletion: grpc.handleUnaryCall<_sluice_v1_CancelDeletionRequest__Output, _google_protobuf_Empty>;
  
  CreateDeletion: grpc.handleUnaryCall<_sluice_v1_CreateDeletionRequest__Output, _sluice_v1_Deletion>;
  
  GetDeletion: grpc.handleUnaryCall<_sluice_v1_GetDeletionRequest__Output, _sluice_v1_Deletion>;
  
  ListDeletions: grpc.handleUnaryCall<_sluice_v1_ListDeletionsRequest__Output, _sluice_v1_ListDeletionsResponse>;
  
}

export interface DeletionServiceDefinition extends grpc.ServiceDefinition {
  CancelDeletion: MethodDefinition<_sluice_v1_CancelDeletionRequest, _google_protobuf_Empty, _sluice_v1_CancelDeletionRequest__Output, _google_protobuf_Empty__Output>
  CreateDeletion: MethodDefinition<_sluice_v1_CreateDeletionRequest, _sluice_v1_Deletion, _sluice_v1_CreateDeletionRequest__Output, _sluice_v1_Deletion__Output>
  GetDeletion: MethodDefinition<_sluice_v1_GetDeletionRequest, _sluice_v1_Deletion, _sluice_v1_GetDeletionRequest__Output, _sluice_v1_Deletion__Output>
  ListDeletions: MethodDefinition<_sluice_v1_ListDeletionsRequest, _sluice_v1_ListDeletionsResponse, _sluice_v1_ListDeletionsRequest__Output, _sluice_v1_ListDeletionsResponse__Output>
}
