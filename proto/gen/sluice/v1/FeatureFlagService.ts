// From proto/sluice/v1/feature_flags.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateFeatureFlagRequest as _sluice_v1_CreateFeatureFlagRequest, CreateFeatureFlagRequest__Output as _sluice_v1_CreateFeatureFlagRequest__Output } from '../../sluice/v1/CreateFeatureFlagRequest.ts';
import type { FeatureFlag as _sluice_v1_FeatureFlag, FeatureFlag__Output as _sluice_v1_FeatureFlag__Output } from '../../sluice/v1/FeatureFlag.ts';
import type { GetFeatureFlagRequest as _sluice_v1_GetFeatureFlagRequest, GetFeatureFlagRequest__Output as _sluice_v1_GetFeatureFlagRequest__Output } from '../../sluice/v1/GetFeatureFlagRequest.ts';
import type { ListFeatureFlagsRequest as _sluice_v1_ListFeatureFlagsRequest, ListFeatureFlagsRequest__Output as _sluice_v1_ListFeatureFlagsRequest__Output } from '../../sluice/v1/ListFeatureFlagsRequest.ts';
import type { ListFeatureFlagsResponse as _sluice_v1_ListFeatureFlagsResponse, ListFeatureFlagsResponse__Output as _sluice_v1_ListFeatureFlagsResponse__Output } from '../../sluice/v1/ListFeatureFlagsResponse.ts';
import type { UpdateFeatureFlagRequest as _sluice_v1_UpdateFeatureFlagRequest, UpdateFeatureFlagRequest__Output as _sluice_v1_UpdateFeatureFlagRequest__Output } from '../../sluice/v1/UpdateFeatureFlagRequest.ts';

export interface FeatureFlagServiceClient extends grpc.Client {
  CreateFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  CreateFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  CreateFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  CreateFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  createFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  createFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  createFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  createFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  
  GetFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  GetFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  GetFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  GetFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  getFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  getFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  getFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  getFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  
  ListFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  UpdateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  UpdateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  UpdateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  updateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  updateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  updateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  updateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  
}

export interface FeatureFlagServiceHandlers extends grpc.UntypedServiceImplementation {
  CreateFeatureFlag: grpc.handleUnaryCall<_sluice_v1_CreateFeatureFlagRequest__Output, _sluice_v1_FeatureFlag>;
  
  GetFeatureFlag: grpc.handleUnaryCall<_sluice_v1_GetFeatureFlagRequest__Output, _sluice_v1_FeatureFlag>;
  
  ListFeatureFlags: grpc.handleUnaryCall<_sluice_v1_ListFeatureFlagsRequest__Output, _sluice_v1_ListFeatureFlagsResponse>;
  
  UpdateFeatureFlag: grpc.handleUnaryCall<_sluice_v1_UpdateFeatureFlagRequest__Output, _sluice_v1_FeatureFlag>;
  
}

export interface FeatureFlagServiceDefinition extends grpc.ServiceDefinition {
  CreateFeatureFlag: MethodDefinition<_sluice_v1_CreateFeatureFlagRequest, _sluice_v1_FeatureFlag, _sluice_v1_CreateFeatureFlagRequest__Output, _sluice_v1_FeatureFlag__Output>
  GetFeatureFlag: MethodDefinition<_sluice_v1_GetFeatureFlagRequest, _sluice_v1_FeatureFlag, _sluice_v1_GetFeatureFlagRequest__Output, _sluice_v1_FeatureFlag__Output>
  ListFeatureFlags: MethodDefinition<_sluice_v1_ListFeatureFlagsRequest, _sluice_v1_ListFeatureFlagsResponse, _sluice_v1_ListFeatureFlagsRequest__Output, _sluice_v1_ListFeatureFlagsResponse__Output>
  UpdateFeatureFlag: MethodDefinition<_sluice_v1_UpdateFeatureFlagRequest, _sluice_v1_FeatureFlag, _sluice_v1_UpdateFeatureFlagRequest__Output, _sluice_v1_FeatureFlag__Output>
}
