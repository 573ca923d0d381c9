// From proto/sluice/v1/plugins.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreatePluginRequest as _sluice_v1_CreatePluginRequest, CreatePluginRequest__Output as _sluice_v1_CreatePluginRequest__Output } from '../../sluice/v1/CreatePluginRequest.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetPluginRequest as _sluice_v1_GetPluginRequest, GetPluginRequest__Output as _sluice_v1_GetPluginRequest__Output } from '../../sluice/v1/GetPluginRequest.ts';
import type { ListPluginsRequest as _sluice_v1_ListPluginsRequest, ListPluginsRequest__Output as _sluice_v1_ListPluginsRequest__Output } from '../../sluice/v1/ListPluginsRequest.ts';
import type { ListPluginsResponse as _sluice_v1_ListPluginsResponse, ListPluginsResponse__Output as _sluice_v1_ListPluginsResponse__Output } from '../../sluice/v1/ListPluginsResponse.ts';
import type { Plugin as _sluice_v1_Plugin, Plugin__Output as _sluice_v1_Plugin__Output } from '../../sluice/v1/Plugin.ts';
import type { PluginSource as _sluice_v1_PluginSource, PluginSource__Output as _sluice_v1_PluginSource__Output } from '../../sluice/v1/PluginSource.ts';
import type { UpdatePluginRequest as _sluice_v1_UpdatePluginRequest, UpdatePluginRequest__Output as _sluice_v1_UpdatePluginRequest__Output } from '../../sluice/v1/UpdatePluginRequest.ts';
import type { UpdatePluginSourceRequest as _sluice_v1_UpdatePluginSourceRequest, UpdatePluginSourceRequest__Output as _sluice_v1_UpdatePluginSourceRequest__Output } from '../../sluice/v1/UpdatePluginSourceRequest.ts';

export interface PluginServiceClient extends grpc.Client {
  CreatePlugin(argument: _sluice_v1_CreatePluginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  CreatePlugin(argument: _sluice_v1_CreatePluginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  CreatePlugin(argument: _sluice_v1_CreatePluginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  CreatePlugin(argument: _sluice_v1_CreatePluginRequest, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  createPlugin(argument: _sluice_v1_CreatePluginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  createPlugin(argument: _sluice_v1_CreatePluginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  createPlugin(argument: _sluice_v1_CreatePluginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  createPlugin(argument: _sluice_v1_CreatePluginRequest, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  
  DeletePlugin(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeletePlugin(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeletePlugin(argument: _sluice_v1_GetPluginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeletePlugin(argument: _sluice_v1_GetPluginRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePlugin(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePlugin(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePlugin(argument: _sluice_v1_GetPluginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePlugin(argument: _sluice_v1_GetPluginRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  GetPlugin(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  GetPlugin(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  GetPlugin(argument: _sluice_v1_GetPluginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  GetPlugin(argument: _sluice_v1_GetPluginRequest, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  getPlugin(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  getPlugin(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  getPlugin(argument: _sluice_v1_GetPluginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  getPlugin(argument: _sluice_v1_GetPluginRequest, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  
  GetPluginSource(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  GetPluginSource(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  GetPluginSource(argument: _sluice_v1_GetPluginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  GetPluginSource(argument: _sluice_v1_GetPluginRequest, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  getPluginSource(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  getPluginSource(argument: _sluice_v1_GetPluginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  getPluginSource(argument: _sluice_v1_GetPluginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  getPluginSource(argument: _sluice_v1_GetPluginRequest, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  
  ListPlugins(argument: _sluice_v1_ListPluginsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginsResponse__Output>): grpc.ClientUnaryCall;
  ListPlugins(argument: _sluice_v1_ListPluginsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPluginsResponse__Output>): grpc.ClientUnaryCall;
  ListPlugins(argument: _sluice_v1_ListPluginsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginsResponse__Output>): grpc.ClientUnaryCall;
  ListPlugins(argument: _sluice_v1_ListPluginsRequest, callback: grpc.requestCallback<_sluice_v1_ListPluginsResponse__Output>): grpc.ClientUnaryCall;
  listPlugins(argument: _sluice_v1_ListPluginsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginsResponse__Output>): grpc.ClientUnaryCall;
  listPlugins(argument: _sluice_v1_ListPluginsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPluginsResponse__Output>): grpc.ClientUnaryCall;
  listPlugins(argument: _sluice_v1_ListPluginsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPluginsResponse__Output>): grpc.ClientUnaryCall;
  listPlugins(argument: _sluice_v1_ListPluginsRequest, callback: grpc.requestCallback<_sluice_v1_ListPluginsResponse__Output>): grpc.ClientUnaryCall;
  
  UpdatePlugin(argument: _sluice_v1_UpdatePluginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  UpdatePlugin(argument: _sluice_v1_UpdatePluginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  UpdatePlugin(argument: _sluice_v1_UpdatePluginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  UpdatePlugin(argument: _sluice_v1_UpdatePluginRequest, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  updatePlugin(argument: _sluice_v1_UpdatePluginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  updatePlugin(argument: _sluice_v1_UpdatePluginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  updatePlugin(argument: _sluice_v1_UpdatePluginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  updatePlugin(argument: _sluice_v1_UpdatePluginRequest, callback: grpc.requestCallback<_sluice_v1_Plugin__Output>): grpc.ClientUnaryCall;
  
  UpdatePluginSource(argument: _sluice_v1_UpdatePluginSourceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  UpdatePluginSource(argument: _sluice_v1_UpdatePluginSourceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  UpdatePluginSource(argument: _sluice_v1_UpdatePluginSourceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  UpdatePluginSource(argument: _sluice_v1_UpdatePluginSourceRequest, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  updatePluginSource(argument: _sluice_v1_UpdatePluginSourceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  updatePluginSource(argument: _sluice_v1_UpdatePluginSourceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  updatePluginSource(argument: _sluice_v1_UpdatePluginSourceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  updatePluginSource(argument: _sluice_v1_UpdatePluginSourceRequest, callback: grpc.requestCallback<_sluice_v1_PluginSource__Output>): grpc.ClientUnaryCall;
  
}

export interface PluginServiceHandlers extends grpc.UntypedServiceImplementation {
  CreatePlugin: grpc.handleUnaryCall<_sluice_v1_CreatePluginRequest__Output, _sluice_v1_Plugin>;
  
  DeletePlugin: grpc.handleUnaryCall<_sluice_v1_GetPluginRequest__Output, _google_protobuf_Empty>;
  
  GetPlugin: grpc.handleUnaryCall<_sluice_v1_GetPluginRequest__Output, _sluice_v1_Plugin>;
  
  GetPluginSource: grpc.handleUnaryCall<_sluice_v1_GetPluginRequest__Output, _sluice_v1_PluginSource>;
  
  ListPlugins: grpc.handleUnaryCall<_sluice_v1_ListPluginsRequest__Output, _sluice_v1_ListPluginsResponse>;
  
  UpdatePlugin: grpc.handleUnaryCall<_sluice_v1_UpdatePluginRequest__Output, _sluice_v1_Plugin>;
  
  UpdatePluginSource: grpc.handleUnaryCall<_sluice_v1_UpdatePluginSourceRequest__Output, _sluice_v1_PluginSource>;
  
}

export interface PluginServiceDefinition extends grpc.ServiceDefinition {
  CreatePlugin: MethodDefinition<_sluice_v1_CreatePluginRequest, _sluice_v1_Plugin, _sluice_v1_CreatePluginRequest__Output, _sluice_v1_Plugin__Output>
  DeletePlugin: MethodDefinition<_sluice_v1_GetPluginRequest, _google_protobuf_Empty, _sluice_v1_GetPluginRequest__Output, _google_protobuf_Empty__Output>
  GetPlugin: MethodDefinition<_sluice_v1_GetPluginRequest, _sluice_v1_Plugin, _sluice_v1_GetPluginRequest__Output, _sluice_v1_Plugin__Output>
  GetPluginSource: MethodDefinition<_sluice_v1_GetPluginRequest, _sluice_v1_PluginSource, _sluice_v1_GetPluginRequest__Output, _sluice_v1_PluginSource__Output>
  ListPlugins: MethodDefinition<_sluice_v1_ListPluginsRequest, _sluice_v1_ListPluginsResponse, _sluice_v1_ListPluginsRequest__Output, _sluice_v1_ListPluginsResponse__Output>
  UpdatePlugin: MethodDefinition<_sluice_v1_UpdatePluginRequest, _sluice_v1_Plugin, _sluice_v1_UpdatePluginRequest__Output, _sluice_v1_Plugin__Output>
  UpdatePluginSource: MethodDefinition<_sluice_v1_UpdatePluginSourceRequest, _sluice_v1_PluginSource, _sluice_v1_UpdatePluginSourceRequest__Output, _sluice_v1_PluginSource__Output>
}
