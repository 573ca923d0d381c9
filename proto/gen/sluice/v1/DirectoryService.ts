// From proto/sluice/v1/directory.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ConfirmNewsRequest as _sluice_v1_ConfirmNewsRequest, ConfirmNewsRequest__Output as _sluice_v1_ConfirmNewsRequest__Output } from '../../sluice/v1/ConfirmNewsRequest.ts';
import type { ConfirmNewsResponse as _sluice_v1_ConfirmNewsResponse, ConfirmNewsResponse__Output as _sluice_v1_ConfirmNewsResponse__Output } from '../../sluice/v1/ConfirmNewsResponse.ts';
import type { ProjectNews as _sluice_v1_ProjectNews, ProjectNews__Output as _sluice_v1_ProjectNews__Output } from '../../sluice/v1/ProjectNews.ts';
import type { ResolveKeysRequest as _sluice_v1_ResolveKeysRequest, ResolveKeysRequest__Output as _sluice_v1_ResolveKeysRequest__Output } from '../../sluice/v1/ResolveKeysRequest.ts';
import type { ResolveKeysResponse as _sluice_v1_ResolveKeysResponse, ResolveKeysResponse__Output as _sluice_v1_ResolveKeysResponse__Output } from '../../sluice/v1/ResolveKeysResponse.ts';
import type { WatchProjectsRequest as _sluice_v1_WatchProjectsRequest, WatchProjectsRequest__Output as _sluice_v1_WatchProjectsRequest__Output } from '../../sluice/v1/WatchProjectsRequest.ts';

export interface DirectoryServiceClient extends grpc.Client {
  ConfirmNews(argument: _sluice_v1_ConfirmNewsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ConfirmNewsResponse__Output>): grpc.ClientUnaryCall;
  ConfirmNews(argument: _sluice_v1_ConfirmNewsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ConfirmNewsResponse__Output>): grpc.ClientUnaryCall;
  ConfirmNews(argument: _sluice_v1_ConfirmNewsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ConfirmNewsResponse__Output>): grpc.ClientUnaryCall;
  ConfirmNews(argument: _sluice_v1_ConfirmNewsRequest, callback: grpc.requestCallback<_sluice_v1_ConfirmNewsResponse__Output>): grpc.ClientUnaryCall;
  confirmNews(argument: _sluice_v1_ConfirmNewsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ConfirmNewsResponse__Output>): grpc.ClientUnaryCall;
  confirmNews(argument: _sluice_v1_ConfirmNewsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ConfirmNewsResponse__Output>): grpc.ClientUnaryCall;
  confirmNews(argument: _sluice_v1_ConfirmNewsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ConfirmNewsResponse__Output>): grpc.ClientUnaryCall;
  confirmNews(argument: _sluice_v1_ConfirmNewsRequest, callback: grpc.requestCallback<_sluice_v1_ConfirmNewsResponse__Output>): grpc.ClientUnaryCall;
  
  ResolveKeys(argument: _sluice_v1_ResolveKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ResolveKeysResponse__Output>): grpc.ClientUnaryCall;
  ResolveKeys(argument: _sluice_v1_ResolveKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ResolveKeysResponse__Output>): grpc.ClientUnaryCall;
  ResolveKeys(argument: _sluice_v1_ResolveKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ResolveKeysResponse__Output>): grpc.ClientUnaryCall;
  ResolveKeys(argument: _sluice_v1_ResolveKeysRequest, callback: grpc.requestCallback<_sluice_v1_ResolveKeysResponse__Output>): grpc.ClientUnaryCall;
  resolveKeys(argument: _sluice_v1_ResolveKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ResolveKeysResponse__Output>): grpc.ClientUnaryCall;
  resolveKeys(argument: _sluice_v1_ResolveKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ResolveKeysResponse__Output>): grpc.ClientUnaryCall;
  resolveKeys(argument: _sluice_v1_ResolveKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ResolveKeysResponse__Output>): grpc.ClientUnaryCall;
  resolveKeys(argument: _sluice_v1_ResolveKeysRequest, callback: grpc.requestCallback<_sluice_v1_ResolveKeysResponse__Output>): grpc.ClientUnaryCall;
  
  WatchProjects(argument: _sluice_v1_WatchProjectsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_ProjectNews__Output>;
  WatchProjects(argument: _sluice_v1_WatchProjectsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_ProjectNews__Output>;
  watchProjects(argument: _sluice_v1_WatchProjectsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_ProjectNews__Output>;
  watchProjects(argument: _sluice_v1_WatchProjectsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_ProjectNews__Output>;
  
}

export interface DirectoryServiceHandlers extends grpc.UntypedServiceImplementation {
  ConfirmNews: grpc.handleUnaryCall<_sluice_v1_ConfirmNewsRequest__Output, _sluice_v1_ConfirmNewsResponse>;
  
  ResolveKeys: grpc.handleUnaryCall<_sluice_v1_ResolveKeysRequest__Output, _sluice_v1_ResolveKeysResponse>;
  
  WatchProjects: grpc.handleServerStreamingCall<_sluice_v1_WatchProjectsRequest__Output, _sluice_v1_ProjectNews>;
  
}

export interface DirectoryServiceDefinition extends grpc.ServiceDefinition {
  ConfirmNews: MethodDefinition<_sluice_v1_ConfirmNewsRequest, _sluice_v1_ConfirmNewsResponse, _sluice_v1_ConfirmNewsRequest__Output, _sluice_v1_ConfirmNewsResponse__Output>
  ResolveKeys: MethodDefinition<_sluice_v1_ResolveKeysRequest, _sluice_v1_ResolveKeysResponse, _sluice_v1_ResolveKeysRequest__Output, _sluice_v1_ResolveKeysResponse__Output>
  WatchProjects: MethodDefinition<_sluice_v1_WatchProjectsRequest, _sluice_v1_ProjectNews, _sluice_v1_WatchProjectsRequest__Output, _sluice_v1_ProjectNews__Output>
}
