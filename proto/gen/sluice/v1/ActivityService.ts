// From proto/sluice/v1/activity.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ListActivityResponse as _sluice_v1_ListActivityResponse, ListActivityResponse__Output as _sluice_v1_ListActivityResponse__Output } from '../../sluice/v1/ListActivityResponse.ts';
import type { ListOrganizationActivityRequest as _sluice_v1_ListOrganizationActivityRequest, ListOrganizationActivityRequest__Output as _sluice_v1_ListOrganizationActivityRequest__Output } from '../../sluice/v1/ListOrganizationActivityRequest.ts';
import type { ListProjectActivityRequest as _sluice_v1_ListProjectActivityRequest, ListProjectActivityRequest__Output as _sluice_v1_ListProjectActivityRequest__Output } from '../../sluice/v1/ListProjectActivityRequest.ts';

export interface ActivityServiceClient extends grpc.Client {
  ListOrganizationActivity(argument: _sluice_v1_ListOrganizationActivityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListOrganizationActivity(argument: _sluice_v1_ListOrganizationActivityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListOrganizationActivity(argument: _sluice_v1_ListOrganizationActivityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListOrganizationActivity(argument: _sluice_v1_ListOrganizationActivityRequest, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listOrganizationActivity(argument: _sluice_v1_ListOrganizationActivityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listOrganizationActivity(argument: _sluice_v1_ListOrganizationActivityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listOrganizationActivity(argument: _sluice_v1_ListOrganizationActivityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listOrganizationActivity(argument: _sluice_v1_ListOrganizationActivityRequest, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  
  ListProjectActivity(argument: _sluice_v1_ListProjectActivityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListProjectActivity(argument: _sluice_v1_ListProjectActivityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListProjectActivity(argument: _sluice_v1_ListProjectActivityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListProjectActivity(argument: _sluice_v1_ListProjectActivityRequest, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listProjectActivity(argument: _sluice_v1_ListProjectActivityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listProjectActivity(argument: _sluice_v1_ListProjectActivityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listProjectActivity(argument: _sluice_v1_ListProjectActivityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listProjectActivity(argument: _sluice_v1_ListProjectActivityRequest, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface ActivityServiceHandlers extends grpc.UntypedServiceImplementation {
  ListOrganizationActivity: grpc.handleUnaryCall<_sluice_v1_ListOrganizationActivityRequest__Output, _sluice_v1_ListActivityResponse>;
  
  ListProjectActivity: grpc.handleUnaryCall<_sluice_v1_ListProjectActivityRequest__Output, _sluice_v1_ListActivityResponse>;
  
}

export interface ActivityServiceDefinition extends grpc.ServiceDefinition {
  ListOrganizationActivity: MethodDefinition<_sluice_v1_ListOrganizationActivityRequest, _sluice_v1_ListActivityResponse, _sluice_v1_ListOrganizationActivityRequest__Output, _sluice_v1_ListActivityResponse__Output>
  ListProjectActivity: MethodDefinition<_sluice_v1_ListProjectActivityRequest, _sluice_v1_ListActivityResponse, _sluice_v1_ListProjectActivityRequest__Output, _sluice_v1_ListActivityResponse__Output>
}
