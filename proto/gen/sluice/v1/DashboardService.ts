// From proto/sluice/v1/dashboards.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateDashboardRequest as _sluice_v1_CreateDashboardRequest, CreateDashboardRequest__Output as _sluice_v1_CreateDashboardRequest__Output } from '../../sluice/v1/CreateDashboardRequest.ts';
import type { Dashboard as _sluice_v1_Dashboard, Dashboard__Output as _sluice_v1_Dashboard__Output } from '../../sluice/v1/Dashboard.ts';
import type { DeleteDashboardRequest as _sluice_v1_DeleteDashboardRequest, DeleteDashboardRequest__Output as _sluice_v1_DeleteDashboardRequest__Output } from '../../sluice/v1/DeleteDashboardRequest.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetDashboardRequest as _sluice_v1_GetDashboardRequest, GetDashboardRequest__Output as _sluice_v1_GetDashboardRequest__Output } from '../../sluice/v1/GetDashboardRequest.ts';
import type { ListDashboardsRequest as _sluice_v1_ListDashboardsRequest, ListDashboardsRequest__Output as _sluice_v1_ListDashboardsRequest__Output } from '../../sluice/v1/ListDashboardsRequest.ts';
import type { ListDashboardsResponse as _sluice_v1_ListDashboardsResponse, ListDashboardsResponse__Output as _sluice_v1_ListDashboardsResponse__Output } from '../../sluice/v1/ListDashboardsResponse.ts';
import type { UpdateDashboardRequest as _sluice_v1_UpdateDashboardRequest, UpdateDashboardRequest__Output as _sluice_v1_UpdateDashboardRequest__Output } from '../../sluice/v1/UpdateDashboardRequest.ts';

export interface DashboardServiceClient extends grpc.Client {
  CreateDashboard(argument: _sluice_v1_CreateDashboardRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  CreateDashboard(argument: _sluice_v1_CreateDashboardRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  CreateDashboard(argument: _sluice_v1_CreateDashboardRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  CreateDashboard(argument: _sluice_v1_CreateDashboardRequest, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  createDashboard(argument: _sluice_v1_CreateDashboardRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  createDashboard(argument: _sluice_v1_CreateDashboardRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  createDashboard(argument: _sluice_v1_CreateDashboardRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  createDashboard(argument: _sluice_v1_CreateDashboardRequest, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  
  DeleteDashboard(argument: _sluice_v1_DeleteDashboardRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteDashboard(argument: _sluice_v1_DeleteDashboardRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteDashboard(argument: _sluice_v1_DeleteDashboardRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteDashboard(argument: _sluice_v1_DeleteDashboardRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteDashboard(argument: _sluice_v1_DeleteDashboardRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteDashboard(argument: _sluice_v1_DeleteDashboardRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteDashboard(argument: _sluice_v1_DeleteDashboardRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteDashboard(argument: _sluice_v1_DeleteDashboardRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  GetDashboard(argument: _sluice_v1_GetDashboardRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  GetDashboard(argument: _sluice_v1_GetDashboardRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  GetDashboard(argument: _sluice_v1_GetDashboardRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  GetDashboard(argument: _sluice_v1_GetDashboardRequest, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  getDashboard(argument: _sluice_v1_GetDashboardRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  getDashboard(argument: _sluice_v1_GetDashboardRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  getDashboard(argument: _sluice_v1_GetDashboardRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  getDashboard(argument: _sluice_v1_GetDashboardRequest, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  
  ListDashboards(argument: _sluice_v1_ListDashboardsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDashboardsResponse__Output>): grpc.ClientUnaryCall;
  ListDashboards(argument: _sluice_v1_ListDashboardsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListDashboardsResponse__Output>): grpc.ClientUnaryCall;
  ListDashboards(argument: _sluice_v1_ListDashboardsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDashboardsResponse__Output>): grpc.ClientUnaryCall;
  ListDashboards(argument: _sluice_v1_ListDashboardsRequest, callback: grpc.requestCallback<_sluice_v1_ListDashboardsResponse__Output>): grpc.ClientUnaryCall;
  listDashboards(argument: _sluice_v1_ListDashboardsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDashboardsResponse__Output>): grpc.ClientUnaryCall;
  listDashboards(argument: _sluice_v1_ListDashboardsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListDashboardsResponse__Output>): grpc.ClientUnaryCall;
  listDashboards(argument: _sluice_v1_ListDashboardsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDashboardsResponse__Output>): grpc.ClientUnaryCall;
  listDashboards(argument: _sluice_v1_ListDashboardsRequest, callback: grpc.requestCallback<_sluice_v1_ListDashboardsResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateDashboard(argument: _sluice_v1_UpdateDashboardRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  UpdateDashboard(argument: _sluice_v1_UpdateDashboardRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  UpdateDashboard(argument: _sluice_v1_UpdateDashboardRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  UpdateDashboard(argument: _sluice_v1_UpdateDashboardRequest, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  updateDashboard(argument: _sluice_v1_UpdateDashboardRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  updateDashboard(argument: _sluice_v1_UpdateDashboardRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  updateDashboard(argument: _sluice_v1_UpdateDashboardRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  updateDashboard(argument: _sluice_v1_UpdateDashboardRequest, callback: grpc.requestCallback<_sluice_v1_Dashboard__Output>): grpc.ClientUnaryCall;
  
}

export interface DashboardServiceHandlers extends grpc.UntypedServiceImplementation {
  CreateDashboard: grpc.handleUnaryCall<_sluice_v1_CreateDashboardRequest__Output, _sluice_v1_Dashboard>;
  
  DeleteDashboard: grpc.handleUnaryCall<_sluice_v1_DeleteDashboardRequest__Output, _google_protobuf_Empty>;
  
  GetDashboard: grpc.handleUnaryCall<_sluice_v1_GetDashboardRequest__Output, _sluice_v1_Dashboard>;
  
  ListDashboards: grpc.handleUnaryCall<_sluice_v1_ListDashboardsRequest__Output, _sluice_v1_ListDashboardsResponse>;
  
  UpdateDashboard: grpc.handleUnaryCall<_sluice_v1_UpdateDashboardRequest__Output, _sluice_v1_Dashboard>;
  
}

export interface DashboardServiceDefinition extends grpc.ServiceDefinition {
  CreateDashboard: MethodDefinition<_sluice_v1_CreateDashboardRequest, _sluice_v1_Dashboard, _sluice_v1_CreateDashboardRequest__Output, _sluice_v1_Dashboard__Output>
  DeleteDashboard: MethodDefinition<_sluice_v1_DeleteDashboardRequest, _google_protobuf_Empty, _sluice_v1_DeleteDashboardRequest__Output, _google_protobuf_Empty__Output>
  GetDashboard: MethodDefinition<_sluice_v1_GetDashboardRequest, _sluice_v1_Dashboard, _sluice_v1_GetDashboardRequest__Output, _sluice_v1_Dashboard__Output>
  ListDashboards: MethodDefinition<_sluice_v1_ListDashboardsRequest, _sluice_v1_ListDashboardsResponse, _sluice_v1_ListDashboardsRequest__Output, _sluice_v1_ListDashboardsResponse__Output>
  UpdateDashboard: MethodDefinition<_sluice_v1_UpdateDashboardRequest, _sluice_v1_Dashboard, _sluice_v1_UpdateDashboardRequest__Output, _sluice_v1_Dashboard__Output>
}
