// From proto/sluice/v1/organizations.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateOrganizationRequest as _sluice_v1_CreateOrganizationRequest, CreateOrganizationRequest__Output as _sluice_v1_CreateOrganizationRequest__Output } from '../../sluice/v1/CreateOrganizationRequest.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetOrganizationRequest as _sluice_v1_GetOrganizationRequest, GetOrganizationRequest__Output as _sluice_v1_GetOrganizationRequest__Output } from '../../sluice/v1/GetOrganizationRequest.ts';
import type { ListOrganizationsRequest as _sluice_v1_ListOrganizationsRequest, ListOrganizationsRequest__Output as _sluice_v1_ListOrganizationsRequest__Output } from '../../sluice/v1/ListOrganizationsRequest.ts';
import type { ListOrganizationsResponse as _sluice_v1_ListOrganizationsResponse, ListOrganizationsResponse__Output as _sluice_v1_ListOrganizationsResponse__Output } from '../../sluice/v1/ListOrganizationsResponse.ts';
import type { Organization as _sluice_v1_Organization, Organization__Output as _sluice_v1_Organization__Output } from '../../sluice/v1/Organization.ts';
import type { UpdateOrganizationRequest as _sluice_v1_UpdateOrganizationRequest, UpdateOrganizationRequest__Output as _sluice_v1_UpdateOrganizationRequest__Output } from '../../sluice/v1/UpdateOrganizationRequest.ts';

export interface OrganizationServiceClient extends grpc.Client {
  CreateOrganization(argument: _sluice_v1_CreateOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  CreateOrganization(argument: _sluice_v1_CreateOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  CreateOrganization(argument: _sluice_v1_CreateOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  CreateOrganization(argument: _sluice_v1_CreateOrganizationRequest, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  createOrganization(argument: _sluice_v1_CreateOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  createOrganization(argument: _sluice_v1_CreateOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  createOrganization(argument: _sluice_v1_CreateOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  createOrganization(argument: _sluice_v1_CreateOrganizationRequest, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  
  DeleteOrganization(argument: _sluice_v1_GetOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteOrganization(argument: _sluice_v1_GetOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteOrganization(argument: _sluice_v1_GetOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteOrganization(argument: _sluice_v1_GetOrganizationRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteOrganization(argument: _sluice_v1_GetOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteOrganization(argument: _sluice_v1_GetOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteOrganization(argument: _sluice_v1_GetOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteOrganization(argument: _sluice_v1_GetOrganizationRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  GetOrganization(argument: _sluice_v1_GetOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  GetOrganization(argument: _sluice_v1_GetOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  GetOrganization(argument: _sluice_v1_GetOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  GetOrganization(argument: _sluice_v1_GetOrganizationRequest, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  getOrganization(argument: _sluice_v1_GetOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  getOrganization(argument: _sluice_v1_GetOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  getOrganization(argument: _sluice_v1_GetOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  getOrganization(argument: _sluice_v1_GetOrganizationRequest, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  
  ListOrganizations(argument: _sluice_v1_ListOrganizationsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListOrganizationsResponse__Output>): grpc.ClientUnaryCall;
  ListOrganizations(argument: _sluice_v1_ListOrganizationsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListOrganizationsResponse__Output>): grpc.ClientUnaryCall;
  ListOrganizations(argument: _sluice_v1_ListOrganizationsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListOrganizationsResponse__Output>): grpc.ClientUnaryCall;
  ListOrganizations(argument: _sluice_v1_ListOrganizationsRequest, callback: grpc.requestCallback<_sluice_v1_ListOrganizationsResponse__Output>): grpc.ClientUnaryCall;
  listOrganizations(argument: _sluice_v1_ListOrganizationsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListOrganizationsResponse__Output>): grpc.ClientUnaryCall;
  listOrganizations(argument: _sluice_v1_ListOrganizationsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListOrganizationsResponse__Output>): grpc.ClientUnaryCall;
  listOrganizations(argument: _sluice_v1_ListOrganizationsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListOrganizationsResponse__Output>): grpc.ClientUnaryCall;
  listOrganizations(argument: _sluice_v1_ListOrganizationsRequest, callback: grpc.requestCallback<_sluice_v1_ListOrganizationsResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateOrganization(argument: _sluice_v1_UpdateOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  UpdateOrganization(argument: _sluice_v1_UpdateOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  UpdateOrganization(argument: _sluice_v1_UpdateOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  UpdateOrganization(argument: _sluice_v1_UpdateOrganizationRequest, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  updateOrganization(argument: _sluice_v1_UpdateOrganizationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  updateOrganization(argument: _sluice_v1_UpdateOrganizationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  updateOrganization(argument: _sluice_v1_UpdateOrganizationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  updateOrganization(argument: _sluice_v1_UpdateOrganizationRequest, callback: grpc.requestCallback<_sluice_v1_Organization__Output>): grpc.ClientUnaryCall;
  
}

export interface OrganizationServiceHandlers extends grpc.UntypedServiceImplementation {
  CreateOrganization: grpc.handleUnaryCall<_sluice_v1_CreateOrganizationRequest__Output, _sluice_v1_Organization>;
  
  DeleteOrganization: grpc.handleUnaryCall<_sluice_v1_GetOrganizationRequest__Output, _google_protobuf_Empty>;
  
  GetOrganization: grpc.handleUnaryCall<_sluice_v1_GetOrganizationRequest__Output, _sluice_v1_Organization>;
  
  ListOrganizations: grpc.handleUnaryCall<_sluice_v1_ListOrganizationsRequest__Output, _sluice_v1_ListOrganizationsResponse>;
  
  UpdateOrganization: grpc.handleUnaryCall<_sluice_v1_UpdateOrganizationRequest__Output, _sluice_v1_Organization>;
  
}

export interface OrganizationServiceDefinition extends grpc.ServiceDefinition {
  CreateOrganization: MethodDefinition<_sluice_v1_CreateOrganizationRequest, _sluice_v1_Organization, _sluice_v1_CreateOrganizationRequest__Output, _sluice_v1_Organization__Output>
  DeleteOrganization: MethodDefinition<_sluice_v1_GetOrganizationRequest, _google_protobuf_Empty, _sluice_v1_GetOrganizationRequest__Output, _google_protobuf_Empty__Output>
  GetOrganization: MethodDefinition<_sluice_v1_GetOrganizationRequest, _sluice_v1_Organization, _sluice_v1_GetOrganizationRequest__Output, _sluice_v1_Organization__Output>
  ListOrganizations: MethodDefinition<_sluice_v1_ListOrganizationsRequest, _sluice_v1_ListOrganizationsResponse, _sluice_v1_ListOrganizationsRequest__Output, _sluice_v1_ListOrganizationsResponse__Output>
  UpdateOrganization: MethodDefinition<_sluice_v1_UpdateOrganizationRequest, _sluice_v1_Organization, _sluice_v1_UpdateOrganizationRequest__Output, _sluice_v1_Organization__Output>
}
