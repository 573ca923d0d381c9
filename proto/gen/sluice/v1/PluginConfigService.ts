// From proto/sluice/v1/plugin_configs.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreatePluginConfigRequest as _sluice_v1_CreatePluginConfigRequest, CreatePluginConfigRequest__Output as _sluice_v1_CreatePluginConfigRequest__Output } from '../../sluice/v1/CreatePluginConfigRequest.ts';
import type { DryRunPluginConfigRequest as _sluice_v1_DryRunPluginConfigRequest, DryRunPluginConfigRequest__Output as _sluice_v1_DryRunPluginConfigRequest__Output } from '../../sluice/v1/DryRunPluginConfigRequest.ts';
import type { DryRunPluginConfigResponse as _sluice_v1_DryRunPluginConfigResponse, DryRunPluginConfigResponse__Output as _sluice_v1_DryRunPluginConfigResponse__Output } from '../../sluice/v1/DryRunPluginConfigResponse.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetPluginConfigFrontendResponse as _sluice_v1_GetPluginConfigFrontendResponse, GetPluginConfigFrontendResponse__Output as _sluice_v1_GetPluginConfigFrontendResponse__Output } from '../../sluice/v1/GetPluginConfigFrontendResponse.ts';
import type { GetPluginConfigRequest as _sluice_v1_GetPluginConfigRequest, GetPluginConfigRequest__Output as _sluice_v1_GetPluginConfigRequest__Output } from '../../sluice/v1/GetPluginConfigRequest.ts';
import type { ListPluginConfigLogsRequest as _sluice_v1_ListPluginConfigLogsRequest, ListPluginConfigLogsRequest__Output as _sluice_v1_ListPluginConfigLogsRequest__Output } from '../../sluice/v1/ListPluginConfigLogsRequest.ts';
import type { ListPluginConfigLogsResponse as _sluice_v1_ListPluginConfigLogsResponse, ListPluginConfigLogsResponse__Output as _sluice_v1_ListPluginConfigLogsResponse__Output } from '../../sluice/v1/ListPluginConfigLogsResponse.ts';
import type { ListPluginConfigsRequest as _sluice_v1_ListPluginConfigsRequest, ListPluginConfigsRequest__Output as _sluice_v1_ListPluginConfigsRequest__Output } from '../../sluice/v1/ListPluginConfigsRequest.ts';
import type { ListPluginConfigsResponse as _sluice_v1_ListPluginConfigsResponse, ListPluginConfigsResponse__Output as _sluice_v1_ListPluginConfigsResponse__Output } from '../../sluice/v1/ListPluginConfigsResponse.ts';
import type { PluginConfig as _sluice_v1_PluginConfig, PluginConfig__Output as _sluice_v1_PluginConfig__Output } from '../../sluice/v1/PluginConfig.ts';
import type { RearrangePluginConfigsRequest as _sluice_v1_RearrangePluginConfigsRequest, RearrangePluginConfigsRequest__Output as _sluice_v1_RearrangePluginConfigsRequest__Output } from '../../sluice/v1/RearrangePluginConfigsRequest.ts';
import type { RearrangePluginConfigsResponse as _sluice_v1_RearrangePluginConfigsResponse, RearrangePluginConfigsResponse__Output as _sluice_v1_RearrangePluginConfigsResponse__Output } from '../../sluice/v1/RearrangePluginConfigsResponse.ts';
import type { RunPluginConfigJobRequest as _sluice_v1_RunPluginConfigJobRequest, RunPluginConfigJobRequest__Output as _sluice_v1_RunPluginConfigJobRequest__Output } from '../../sluice/v1/RunPluginConfigJobRequest.ts';
import type { UpdatePluginConfigRequest as _sluice_v1_UpdatePluginConfigRequest, UpdatePluginConfigRequest__Output as _sluice_v1_UpdatePluginConfigRequest__Output } from '../../sluice/v1/UpdatePluginConfigRequest.ts';
import type { UpdatePluginConfigSettingsRequest as _sluice_v1_UpdatePluginConfigSettingsRequest, UpdatePluginConfigSettingsRequest__Output as _sluice_v1_UpdatePluginConfigSettingsRequest__Output } from '../../sluice/v1/UpdatePluginConfigSettingsRequest.ts';

export interface PluginConfigServiceClient extends grpc.Client {
  CreatePluginConfig(argument: _sluice_v1_CreatePluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  CreatePluginConfig(argument: _sluice_v1_CreatePluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  CreatePluginConfig(argument: _sluice_v1_CreatePluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  CreatePluginConfig(argument: _sluice_v1_CreatePluginConfigRequest, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  createPluginConfig(argument: _sluice_v1_CreatePluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  createPluginConfig(argument: _sluice_v1_CreatePluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  createPluginConfig(argument: _sluice_v1_CreatePluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  createPluginConfig(argument: _sluice_v1_CreatePluginConfigRequest, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  
  DeletePluginConfig(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeletePluginConfig(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeletePluginConfig(argument: _sluice_v1_GetPluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeletePluginConfig(argument: _sluice_v1_GetPluginConfigRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePluginConfig(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePluginConfig(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePluginConfig(argument: _sluice_v1_GetPluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePluginConfig(argument: _sluice_v1_GetPluginConfigRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  DryRunPluginConfig(argument: _sluice_v1_DryRunPluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DryRunPluginConfigResponse__Output>): grpc.ClientUnaryCall;
  DryRunPluginConfig(argument: _sluice_v1_DryRunPluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DryRunPluginConfigResponse__Output>): grpc.ClientUnaryCall;
  DryRunPluginConfig(argument: _sluice_v1_DryRunPluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DryRunPluginConfigResponse__Output>): grpc.ClientUnaryCall;
  DryRunPluginConfig(argument: _sluice_v1_DryRunPluginConfigRequest, callback: grpc.requestCallback<_sluice_v1_DryRunPluginConfigResponse__Output>): grpc.ClientUnaryCall;
  dryRunPluginConfig(argument: _sluice_v1_DryRunPluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DryRunPluginConfigResponse__Output>): grpc.ClientUnaryCall;
  dryRunPluginConfig(argument: _sluice_v1_DryRunPluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DryRunPluginConfigResponse__Output>): grpc.ClientUnaryCall;
  dryRunPluginConfig(argument: _sluice_v1_DryRunPluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DryRunPluginConfigResponse__Output>): grpc.ClientUnaryCall;
  dryRunPluginConfig(argument: _sluice_v1_DryRunPluginConfigRequest, callback: grpc.requestCallback<_sluice_v1_DryRunPluginConfigResponse__Output>): grpc.ClientUnaryCall;
  
  GetPluginConfig(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  GetPluginConfig(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  GetPluginConfig(argument: _sluice_v1_GetPluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  GetPluginConfig(argument: _sluice_v1_GetPluginConfigRequest, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  getPluginConfig(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  getPluginConfig(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  getPluginConfig(argument: _sluice_v1_GetPluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  getPluginConfig(argument: _sluice_v1_GetPluginConfigRequest, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  
  GetPluginConfigFrontend(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetPluginConfigFrontendResponse__Output>): grpc.ClientUnaryCall;
  GetPluginConfigFrontend(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetPluginConfigFrontendResponse__Output>): grpc.ClientUnaryCall;
  GetPluginConfigFrontend(argument: _sluice_v1_GetPluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetPluginConfigFrontendResponse__Output>): grpc.ClientUnaryCall;
  GetPluginConfigFrontend(argument: _sluice_v1_GetPluginConfigRequest, callback: grpc.requestCallback<_sluice_v1_GetPluginConfigFrontendResponse__Output>): grpc.ClientUnaryCall;
  getPluginConfigFrontend(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetPluginConfigFrontendResponse__Output>): grpc.ClientUnaryCall;
  getPluginConfigFrontend(argument: _sluice_v1_GetPluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetPluginConfigFrontendResponse__Output>): grpc.ClientUnaryCall;
  getPluginConfigFrontend(argument: _sluice_v1_GetPluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetPluginConfigFrontendResponse__Output>): grpc.ClientUnaryCall;
  getPluginConfigFrontend(argument: _sluice_v1_GetPluginConfigRequest, callback: grpc.requestCallback<_sluice_v1_GetPluginConfigFrontendResponse__Output>): grpc.ClientUnaryCall;
  
  ListPluginConfigLogs(argument: _sluice_v1_ListPluginConfigLogsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigLogsResponse__Output>): grpc.ClientUnaryCall;
  ListPluginConfigLogs(argument: _sluice_v1_ListPluginConfigLogsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigLogsResponse__Output>): grpc.ClientUnaryCall;
  ListPluginConfigLogs(argument: _sluice_v1_ListPluginConfigLogsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigLogsResponse__Output>): grpc.ClientUnaryCall;
  ListPluginConfigLogs(argument: _sluice_v1_ListPluginConfigLogsRequest, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigLogsResponse__Output>): grpc.ClientUnaryCall;
  listPluginConfigLogs(argument: _sluice_v1_ListPluginConfigLogsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigLogsResponse__Output>): grpc.ClientUnaryCall;
  listPluginConfigLogs(argument: _sluice_v1_ListPluginConfigLogsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigLogsResponse__Output>): grpc.ClientUnaryCall;
  listPluginConfigLogs(argument: _sluice_v1_ListPluginConfigLogsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigLogsResponse__Output>): grpc.ClientUnaryCall;
  listPluginConfigLogs(argument: _sluice_v1_ListPluginConfigLogsRequest, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigLogsResponse__Output>): grpc.ClientUnaryCall;
  
  ListPluginConfigs(argument: _sluice_v1_ListPluginConfigsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  ListPluginConfigs(argument: _sluice_v1_ListPluginConfigsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  ListPluginConfigs(argument: _sluice_v1_ListPluginConfigsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  ListPluginConfigs(argument: _sluice_v1_ListPluginConfigsRequest, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  listPluginConfigs(argument: _sluice_v1_ListPluginConfigsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  listPluginConfigs(argument: _sluice_v1_ListPluginConfigsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  listPluginConfigs(argument: _sluice_v1_ListPluginConfigsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  listPluginConfigs(argument: _sluice_v1_ListPluginConfigsRequest, callback: grpc.requestCallback<_sluice_v1_ListPluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  
  RearrangePluginConfigs(argument: _sluice_v1_RearrangePluginConfigsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RearrangePluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  RearrangePluginConfigs(argument: _sluice_v1_RearrangePluginConfigsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_RearrangePluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  RearrangePluginConfigs(argument: _sluice_v1_RearrangePluginConfigsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RearrangePluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  RearrangePluginConfigs(argument: _sluice_v1_RearrangePluginConfigsRequest, callback: grpc.requestCallback<_sluice_v1_RearrangePluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  rearrangePluginConfigs(argument: _sluice_v1_RearrangePluginConfigsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RearrangePluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  rearrangePluginConfigs(argument: _sluice_v1_RearrangePluginConfigsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_RearrangePluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  rearrangePluginConfigs(argument: _sluice_v1_RearrangePluginConfigsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RearrangePluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  rearrangePluginConfigs(argument: _sluice_v1_RearrangePluginConfigsRequest, callback: grpc.requestCallback<_sluice_v1_RearrangePluginConfigsResponse__Output>): grpc.ClientUnaryCall;
  
  RunPluginConfigJob(argument: _sluice_v1_RunPluginConfigJobRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  RunPluginConfigJob(argument: _sluice_v1_RunPluginConfigJobRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  RunPluginConfigJob(argument: _sluice_v1_RunPluginConfigJobRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  RunPluginConfigJob(argument: _sluice_v1_RunPluginConfigJobRequest, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  runPluginConfigJob(argument: _sluice_v1_RunPluginConfigJobRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  runPluginConfigJob(argument: _sluice_v1_RunPluginConfigJobRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  runPluginConfigJob(argument: _sluice_v1_RunPluginConfigJobRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  runPluginConfigJob(argument: _sluice_v1_RunPluginConfigJobRequest, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  
  UpdatePluginConfig(argument: _sluice_v1_UpdatePluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  UpdatePluginConfig(argument: _sluice_v1_UpdatePluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  UpdatePluginConfig(argument: _sluice_v1_UpdatePluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  UpdatePluginConfig(argument: _sluice_v1_UpdatePluginConfigRequest, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  updatePluginConfig(argument: _sluice_v1_UpdatePluginConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  updatePluginConfig(argument: _sluice_v1_UpdatePluginConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  updatePluginConfig(argument: _sluice_v1_UpdatePluginConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  updatePluginConfig(argument: _sluice_v1_UpdatePluginConfigRequest, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  
  UpdatePluginConfigSettings(argument: _sluice_v1_UpdatePluginConfigSettingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  UpdatePluginConfigSettings(argument: _sluice_v1_UpdatePluginConfigSettingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  UpdatePluginConfigSettings(argument: _sluice_v1_UpdatePluginConfigSettingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  UpdatePluginConfigSettings(argument: _sluice_v1_UpdatePluginConfigSettingsRequest, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  updatePluginConfigSettings(argument: _sluice_v1_UpdatePluginConfigSettingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  updatePluginConfigSettings(argument: _sluice_v1_UpdatePluginConfigSettingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  updatePluginConfigSettings(argument: _sluice_v1_UpdatePluginConfigSettingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  updatePluginConfigSettings(argument: _sluice_v1_UpdatePluginConfigSettingsRequest, callback: grpc.requestCallback<_sluice_v1_PluginConfig__Output>): grpc.ClientUnaryCall;
  
}

export interface PluginConfigServiceHandlers extends grpc.UntypedServiceImplementation {
  CreatePluginConfig: grpc.handleUnaryCall<_sluice_v1_CreatePluginConfigRequest__Output, _sluice_v1_PluginConfig>;
  
  DeletePluginConfig: grpc.handleUnaryCall<_sluice_v1_GetPluginConfigRequest__Output, _google_protobuf_Empty>;
  
  DryRunPluginConfig: grpc.handleUnaryCall<_sluice_v1_DryRunPluginConfigRequest__Output, _sluice_v1_DryRunPluginConfigResponse>;
  
  GetPluginConfig: grpc.handleUnaryCall<_sluice_v1_GetPluginConfigRequest__Output, _sluice_v1_PluginConfig>;
  
  GetPluginConfigFrontend: grpc.handleUnaryCall<_sluice_v1_GetPluginConfigRequest__Output, _sluice_v1_GetPluginConfigFrontendResponse>;
  
  ListPluginConfigLogs: grpc.handleUnaryCall<_sluice_v1_ListPluginConfigLogsRequest__Output, _sluice_v1_ListPluginConfigLogsResponse>;
  
  ListPluginConfigs: grpc.handleUnaryCall<_sluice_v1_ListPluginConfigsRequest__Output, _sluice_v1_ListPluginConfigsResponse>;
  
  RearrangePluginConfigs: grpc.handleUnaryCall<_sluice_v1_RearrangePluginConfigsRequest__Output, _sluice_v1_RearrangePluginConfigsResponse>;
  
  RunPluginConfigJob: grpc.handleUnaryCall<_sluice_v1_RunPluginConfigJobRequest__Output, _sluice_v1_PluginConfig>;
  
  UpdatePluginConfig: grpc.handleUnaryCall<_sluice_v1_UpdatePluginConfigRequest__Output, _sluice_v1_PluginConfig>;
  
  UpdatePluginConfigSettings: grpc.handleUnaryCall<_sluice_v1_UpdatePluginConfigSettingsRequest__Output, _sluice_v1_PluginConfig>;
  
}

export interface PluginConfigServiceDefinition extends grpc.ServiceDefinition {
  CreatePluginConfig: MethodDefinition<_sluice_v1_CreatePluginConfigRequest, _sluice_v1_PluginConfig, _sluice_v1_CreatePluginConfigRequest__Output, _sluice_v1_PluginConfig__Output>
  DeletePluginConfig: MethodDefinition<_sluice_v1_GetPluginConfigRequest, _google_protobuf_Empty, _sluice_v1_GetPluginConfigRequest__Output, _google_protobuf_Empty__Output>
  DryRunPluginConfig: MethodDefinition<_sluice_v1_DryRunPluginConfigRequest, _sluice_v1_DryRunPluginConfigResponse, _sluice_v1_DryRunPluginConfigRequest__Output, _sluice_v1_DryRunPluginConfigResponse__Output>
  GetPluginConfig: MethodDefinition<_sluice_v1_GetPluginConfigRequest, _sluice_v1_PluginConfig, _sluice_v1_GetPluginConfigRequest__Output, _sluice_v1_PluginConfig__Output>
  GetPluginConfigFrontend: MethodDefinition<_sluice_v1_GetPluginConfigRequest, _sluice_v1_GetPluginConfigFrontendResponse, _sluice_v1_GetPluginConfigRequest__Output, _sluice_v1_GetPluginConfigFrontendResponse__Output>
  ListPluginConfigLogs: MethodDefinition<_sluice_v1_ListPluginConfigLogsRequest, _sluice_v1_ListPluginConfigLogsResponse, _sluice_v1_ListPluginConfigLogsRequest__Output, _sluice_v1_ListPluginConfigLogsResponse__Output>
  ListPluginConfigs: MethodDefinition<_sluice_v1_ListPluginConfigsRequest, _sluice_v1_ListPluginConfigsResponse, _sluice_v1_ListPluginConfigsRequest__Output, _sluice_v1_ListPluginConfigsResponse__Output>
  RearrangePluginConfigs: MethodDefinition<_sluice_v1_RearrangePluginConfigsRequest, _sluice_v1_RearrangePluginConfigsResponse, _sluice_v1_RearrangePluginConfigsRequest__Output, _sluice_v1_RearrangePluginConfigsResponse__Output>
  RunPluginConfigJob: MethodDefinition<_sluice_v1_RunPluginConfigJobRequest, _sluice_v1_PluginConfig, _sluice_v1_RunPluginConfigJobRequest__Output, _sluice_v1_PluginConfig__Output>
  UpdatePluginConfig: MethodDefinition<_sluice_v1_UpdatePluginConfigRequest, _sluice_v1_PluginConfig, _sluice_v1_UpdatePluginConfigRequest__Output, _sluice_v1_PluginConfig__Output>
  UpdatePluginConfigSettings: MethodDefinition<_sluice_v1_UpdatePluginConfigSettingsRequest, _sluice_v1_PluginConfig, _sluice_v1_UpdatePluginConfigSettingsRequest__Output, _sluice_v1_PluginConfig__Output>
}
