// From proto/sluice/v1/saved_insights.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateSavedInsightRequest as _sluice_v1_CreateSavedInsightRequest, CreateSavedInsightRequest__Output as _sluice_v1_CreateSavedInsightRequest__Output } from '../../sluice/v1/CreateSavedInsightRequest.ts';
import type { DeleteSavedInsightRequest as _sluice_v1_DeleteSavedInsightRequest, DeleteSavedInsightRequest__Output as _sluice_v1_DeleteSavedInsightRequest__Output } from '../../sluice/v1/DeleteSavedInsightRequest.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetSavedInsightRequest as _sluice_v1_GetSavedInsightRequest, GetSavedInsightRequest__Output as _sluice_v1_GetSavedInsightRequest__Output } from '../../sluice/v1/GetSavedInsightRequest.ts';
import type { ListSavedInsightsRequest as _sluice_v1_ListSavedInsightsRequest, ListSavedInsightsRequest__Output as _sluice_v1_ListSavedInsightsRequest__Output } from '../../sluice/v1/ListSavedInsightsRequest.ts';
import type { ListSavedInsightsResponse as _sluice_v1_ListSavedInsightsResponse, ListSavedInsightsResponse__Output as _sluice_v1_ListSavedInsightsResponse__Output } from '../../sluice/v1/ListSavedInsightsResponse.ts';
import type { SavedInsight as _sluice_v1_SavedInsight, SavedInsight__Output as _sluice_v1_SavedInsight__Output } from '../../sluice/v1/SavedInsight.ts';
import type { UpdateSavedInsightRequest as _sluice_v1_UpdateSavedInsightRequest, UpdateSavedInsightRequest__Output as _sluice_v1_UpdateSavedInsightRequest__Output } from '../../sluice/v1/UpdateSavedInsightRequest.ts';

export interface SavedInsightServiceClient extends grpc.Client {
  CreateSavedInsight(argument: _sluice_v1_CreateSavedInsightRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  CreateSavedInsight(argument: _sluice_v1_CreateSavedInsightRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  CreateSavedInsight(argument: _sluice_v1_CreateSavedInsightRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  CreateSavedInsight(argument: _sluice_v1_CreateSavedInsightRequest, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  createSavedInsight(argument: _sluice_v1_CreateSavedInsightRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  createSavedInsight(argument: _sluice_v1_CreateSavedInsightRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  createSavedInsight(argument: _sluice_v1_CreateSavedInsightRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  createSavedInsight(argument: _sluice_v1_CreateSavedInsightRequest, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  
  DeleteSavedInsight(argument: _sluice_v1_DeleteSavedInsightRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteSavedInsight(argument: _sluice_v1_DeleteSavedInsightRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteSavedInsight(argument: _sluice_v1_DeleteSavedInsightRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteSavedInsight(argument: _sluice_v1_DeleteSavedInsightRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteSavedInsight(argument: _sluice_v1_DeleteSavedInsightRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteSavedInsight(argument: _sluice_v1_DeleteSavedInsightRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteSavedInsight(argument: _sluice_v1_DeleteSavedInsightRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteSavedInsight(argument: _sluice_v1_DeleteSavedInsightRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  GetSavedInsight(argument: _sluice_v1_GetSavedInsightRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  GetSavedInsight(argument: _sluice_v1_GetSavedInsightRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  GetSavedInsight(argument: _sluice_v1_GetSavedInsightRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  GetSavedInsight(argument: _sluice_v1_GetSavedInsightRequest, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  getSavedInsight(argument: _sluice_v1_GetSavedInsightRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  getSavedInsight(argument: _sluice_v1_GetSavedInsightRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  getSavedInsight(argument: _sluice_v1_GetSavedInsightRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  getSavedInsight(argument: _sluice_v1_GetSavedInsightRequest, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  
  ListSavedInsights(argument: _sluice_v1_ListSavedInsightsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListSavedInsightsResponse__Output>): grpc.ClientUnaryCall;
  ListSavedInsights(argument: _sluice_v1_ListSavedInsightsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListSavedInsightsResponse__Output>): grpc.ClientUnaryCall;
  ListSavedInsights(argument: _sluice_v1_ListSavedInsightsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListSavedInsightsResponse__Output>): grpc.ClientUnaryCall;
  ListSavedInsights(argument: _sluice_v1_ListSavedInsightsRequest, callback: grpc.requestCallback<_sluice_v1_ListSavedInsightsResponse__Output>): grpc.ClientUnaryCall;
  listSavedInsights(argument: _sluice_v1_ListSavedInsightsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListSavedInsightsResponse__Output>): grpc.ClientUnaryCall;
  listSavedInsights(argument: _sluice_v1_ListSavedInsightsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListSavedInsightsResponse__Output>): grpc.ClientUnaryCall;
  listSavedInsights(argument: _sluice_v1_ListSavedInsightsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListSavedInsightsResponse__Output>): grpc.ClientUnaryCall;
  listSavedInsights(argument: _sluice_v1_ListSavedInsightsRequest, callback: grpc.requestCallback<_sluice_v1_ListSavedInsightsResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateSavedInsight(argument: _sluice_v1_UpdateSavedInsightRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  UpdateSavedInsight(argument: _sluice_v1_UpdateSavedInsightRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  UpdateSavedInsight(argument: _sluice_v1_UpdateSavedInsightRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  UpdateSavedInsight(argument: _sluice_v1_UpdateSavedInsightRequest, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  updateSavedInsight(argument: _sluice_v1_UpdateSavedInsightRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  updateSavedInsight(argument: _sluice_v1_UpdateSavedInsightRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  updateSavedInsight(argument: _sluice_v1_UpdateSavedInsightRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  updateSavedInsight(argument: _sluice_v1_UpdateSavedInsightRequest, callback: grpc.requestCallback<_sluice_v1_SavedInsight__Output>): grpc.ClientUnaryCall;
  
}

export interface SavedInsightServiceHandlers extends grpc.UntypedServiceImplementation {
  CreateSavedInsight: grpc.handleUnaryCall<_sluice_v1_CreateSavedInsightRequest__Output, _sluice_v1_SavedInsight>;
  
  DeleteSavedInsight: grpc.handleUnaryCall<_sluice_v1_DeleteSavedInsightRequest__Output, _google_protobuf_Empty>;
  
  GetSavedInsight: grpc.handleUnaryCall<_sluice_v1_GetSavedInsightRequest__Output, _sluice_v1_SavedInsight>;
  
  ListSavedInsights: grpc.handleUnaryCall<_sluice_v1_ListSavedInsightsRequest__Output, _sluice_v1_ListSavedInsightsResponse>;
  
  UpdateSavedInsight: grpc.handleUnaryCall<_sluice_v1_UpdateSavedInsightRequest__Output, _sluice_v1_SavedInsight>;
  
}

export interface SavedInsightServiceDefinition extends grpc.ServiceDefinition {
  CreateSavedInsight: MethodDefinition<_sluice_v1_CreateSavedInsightRequest, _sluice_v1_SavedInsight, _sluice_v1_CreateSavedInsightRequest__Output, _sluice_v1_SavedInsight__Output>
  DeleteSavedInsight: MethodDefinition<_sluice_v1_DeleteSavedInsightRequest, _google_protobuf_Empty, _sluice_v1_DeleteSavedInsightRequest__Output, _google_protobuf_Empty__Output>
  GetSavedInsight: MethodDefinition<_sluice_v1_GetSavedInsightRequest, _sluice_v1_SavedInsight, _sluice_v1_GetSavedInsightRequest__Output, _sluice_v1_SavedInsight__Output>
  ListSavedInsights: MethodDefinition<_sluice_v1_ListSavedInsightsRequest, _sluice_v1_ListSavedInsightsResponse, _sluice_v1_ListSavedInsightsRequest__Output, _sluice_v1_ListSavedInsightsResponse__Output>
  UpdateSavedInsight: MethodDefinition<_sluice_v1_UpdateSavedInsightRequest, _sluice_v1_SavedInsight, _sluice_v1_UpdateSavedInsightRequest__Output, _sluice_v1_SavedInsight__Output>
}
