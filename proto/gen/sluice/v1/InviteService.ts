// From proto/sluice/v1/invites.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { BulkCreateInvitesRequest as _sluice_v1_BulkCreateInvitesRequest, BulkCreateInvitesRequest__Output as _sluice_v1_BulkCreateInvitesRequest__Output } from '../../sluice/v1/BulkCreateInvitesRequest.ts';
import type { BulkCreateInvitesResponse as _sluice_v1_BulkCreateInvitesResponse, BulkCreateInvitesResponse__Output as _sluice_v1_BulkCreateInvitesResponse__Output } from '../../sluice/v1/BulkCreateInvitesResponse.ts';
import type { CreateInviteRequest as _sluice_v1_CreateInviteRequest, CreateInviteRequest__Output as _sluice_v1_CreateInviteRequest__Output } from '../../sluice/v1/CreateInviteRequest.ts';
import type { DeleteInviteRequest as _sluice_v1_DeleteInviteRequest, DeleteInviteRequest__Output as _sluice_v1_DeleteInviteRequest__Output } from '../../sluice/v1/DeleteInviteRequest.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { Invite as _sluice_v1_Invite, Invite__Output as _sluice_v1_Invite__Output } from '../../sluice/v1/Invite.ts';
import type { ListInvitesRequest as _sluice_v1_ListInvitesRequest, ListInvitesRequest__Output as _sluice_v1_ListInvitesRequest__Output } from '../../sluice/v1/ListInvitesRequest.ts';
import type { ListInvitesResponse as _sluice_v1_ListInvitesResponse, ListInvitesResponse__Output as _sluice_v1_ListInvitesResponse__Output } from '../../sluice/v1/ListInvitesResponse.ts';

export interface InviteServiceClient extends grpc.Client {
  BulkCreateInvites(argument: _sluice_v1_BulkCreateInvitesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_BulkCreateInvitesResponse__Output>): grpc.ClientUnaryCall;
  BulkCreateInvites(argument: _sluice_v1_BulkCreateInvitesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_BulkCreateInvitesResponse__Output>): grpc.ClientUnaryCall;
  BulkCreateInvites(argument: _sluice_v1_BulkCreateInvitesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_BulkCreateInvitesResponse__Output>): grpc.ClientUnaryCall;
  BulkCreateInvites(argument: _sluice_v1_BulkCreateInvitesRequest, callback: grpc.requestCallback<_sluice_v1_BulkCreateInvitesResponse__Output>): grpc.ClientUnaryCall;
  bulkCreateInvites(argument: _sluice_v1_BulkCreateInvitesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_BulkCreateInvitesResponse__Output>): grpc.ClientUnaryCall;
  bulkCreateInvites(argument: _sluice_v1_BulkCreateInvitesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_BulkCreateInvitesResponse__Output>): grpc.ClientUnaryCall;
  bulkCreateInvites(argument: _sluice_v1_BulkCreateInvitesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_BulkCreateInvitesResponse__Output>): grpc.ClientUnaryCall;
  bulkCreateInvites(argument: _sluice_v1_BulkCreateInvitesRequest, callback: grpc.requestCallback<_sluice_v1_BulkCreateInvitesResponse__Output>): grpc.ClientUnaryCall;
  
  CreateInvite(argument: _sluice_v1_CreateInviteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Invite__Output>): grpc.ClientUnaryCall;
  CreateInvite(argument: _sluice_v1_CreateInviteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Invite__Output>): grpc.ClientUnaryCall;
  CreateInvite(argument: _sluice_v1_CreateInviteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Invite__Output>): grpc.ClientUnaryCall;
  CreateInvite(argument: _sluice_v1_CreateInviteRequest, callback: grpc.requestCallback<_sluice_v1_Invite__Output>): grpc.ClientUnaryCall;
  createInvite(argument: _sluice_v1_CreateInviteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Invite__Output>): grpc.ClientUnaryCall;
  createInvite(argument: _sluice_v1_CreateInviteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Invite__Output>): grpc.ClientUnaryCall;
  createInvite(argument: _sluice_v1_CreateInviteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Invite__Output>): grpc.ClientUnaryCall;
  createInvite(argument: _sluice_v1_CreateInviteRequest, callback: grpc.requestCallback<_sluice_v1_Invite__Output>): grpc.ClientUnaryCall;
  
  DeleteInvite(argument: _sluice_v1_DeleteInviteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteInvite(argument: _sluice_v1_DeleteInviteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteInvite(argument: _sluice_v1_DeleteInviteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteInvite(argument: _sluice_v1_DeleteInviteRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteInvite(argument: _sluice_v1_DeleteInviteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteInvite(argument: _sluice_v1_DeleteInviteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteInvite(argument: _sluice_v1_DeleteInviteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteInvite(argument: _sluice_v1_DeleteInviteRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  ListInvites(argument: _sluice_v1_ListInvitesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListInvitesResponse__Output>): grpc.ClientUnaryCall;
  ListInvites(argument: _sluice_v1_ListInvitesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListInvitesResponse__Output>): grpc.ClientUnaryCall;
  ListInvites(argument: _sluice_v1_ListInvitesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListInvitesResponse__Output>): grpc.ClientUnaryCall;
  ListInvites(argument: _sluice_v1_ListInvitesRequest, callback: grpc.requestCallback<_sluice_v1_ListInvitesResponse__Output>): grpc.ClientUnaryCall;
  listInvites(argument: _sluice_v1_ListInvitesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListInvitesResponse__Output>): grpc.ClientUnaryCall;
  listInvites(argument: _sluice_v1_ListInvitesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListInvitesResponse__Output>): grpc.ClientUnaryCall;
  listInvites(argument: _sluice_v1_ListInvitesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListInvitesResponse__Output>): grpc.ClientUnaryCall;
  listInvites(argument: _sluice_v1_ListInvitesRequest, callback: grpc.requestCallback<_sluice_v1_ListInvitesResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface InviteServiceHandlers extends grpc.UntypedServiceImplementation {
  BulkCreateInvites: grpc.handleUnaryCall<_sluice_v1_BulkCreateInvitesRequest__Output, _sluice_v1_BulkCreateInvitesResponse>;
  
  CreateInvite: grpc.handleUnaryCall<_sluice_v1_CreateInviteRequest__Output, _sluice_v1_Invite>;
  
  DeleteInvite: grpc.handleUnaryCall<_sluice_v1_DeleteInviteRequest__Output, _google_protobuf_Empty>;
  
  ListInvites: grpc.handleUnaryCall<_sluice_v1_ListInvitesRequest__Output, _sluice_v1_ListInvitesResponse>;
  
}

export interface InviteServiceDefinition extends grpc.ServiceDefinition {
  BulkCreateInvites: MethodDefinition<_sluice_v1_BulkCreateInvitesRequest, _sluice_v1_BulkCreateInvitesResponse, _sluice_v1_BulkCreateInvitesRequest__Output, _sluice_v1_BulkCreateInvitesResponse__Output>
  CreateInvite: MethodDefinition<_sluice_v1_CreateInviteRequest, _sluice_v1_Invite, _sluice_v1_CreateInviteRequest__Output, _sluice_v1_Invite__Output>
  DeleteInvite: MethodDefinition<_sluice_v1_DeleteInviteRequest, _google_protobuf_Empty, _sluice_v1_DeleteInviteRequest__Output, _google_protobuf_Empty__Output>
  ListInvites: MethodDefinition<_sluice_v1_ListInvitesRequest, _sluice_v1_ListInvitesResponse, _sluice_v1_ListInvitesRequest__Output, _sluice_v1_ListInvitesResponse__Output>
}
