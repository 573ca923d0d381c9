// From proto/sluice/v1/cluster.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DrainResponse as _sluice_v1_DrainResponse, DrainResponse__Output as _sluice_v1_DrainResponse__Output } from '../../sluice/v1/DrainResponse.ts';
import type { DrainSelfRequest as _sluice_v1_DrainSelfRequest, DrainSelfRequest__Output as _sluice_v1_DrainSelfRequest__Output } from '../../sluice/v1/DrainSelfRequest.ts';
import type { GetMemberRequest as _sluice_v1_GetMemberRequest, GetMemberRequest__Output as _sluice_v1_GetMemberRequest__Output } from '../../sluice/v1/GetMemberRequest.ts';
import type { LiveMessage as _sluice_v1_LiveMessage, LiveMessage__Output as _sluice_v1_LiveMessage__Output } from '../../sluice/v1/LiveMessage.ts';
import type { Member as _sluice_v1_Member, Member__Output as _sluice_v1_Member__Output } from '../../sluice/v1/Member.ts';
import type { ReleaseShardsRequest as _sluice_v1_ReleaseShardsRequest, ReleaseShardsRequest__Output as _sluice_v1_ReleaseShardsRequest__Output } from '../../sluice/v1/ReleaseShardsRequest.ts';
import type { ReleaseShardsResponse as _sluice_v1_ReleaseShardsResponse, ReleaseShardsResponse__Output as _sluice_v1_ReleaseShardsResponse__Output } from '../../sluice/v1/ReleaseShardsResponse.ts';
import type { WatchStoredRequest as _sluice_v1_WatchStoredRequest, WatchStoredRequest__Output as _sluice_v1_WatchStoredRequest__Output } from '../../sluice/v1/WatchStoredRequest.ts';

export interface ClusterServiceClient extends grpc.Client {
  DrainSelf(argument: _sluice_v1_DrainSelfRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  DrainSelf(argument: _sluice_v1_DrainSelfRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  DrainSelf(argument: _sluice_v1_DrainSelfRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  DrainSelf(argument: _sluice_v1_DrainSelfRequest, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drainSelf(argument: _sluice_v1_DrainSelfRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drainSelf(argument: _sluice_v1_DrainSelfRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drainSelf(argument: _sluice_v1_DrainSelfRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drainSelf(argument: _sluice_v1_DrainSelfRequest, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  
  GetMember(argument: _sluice_v1_GetMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Member__Output>): grpc.ClientUnaryCall;
  GetMember(argument: _sluice_v1_GetMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Member__Output>): grpc.ClientUnaryCall;
  GetMember(argument: _sluice_v1_GetMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Member__Output>): grpc.ClientUnaryCall;
  GetMember(argument: _sluice_v1_GetMemberRequest, callback: grpc.requestCallback<_sluice_v1_Member__Output>): grpc.ClientUnaryCall;
  getMember(argument: _sluice_v1_GetMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Member__Output>): grpc.ClientUnaryCall;
  getMember(argument: _sluice_v1_GetMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Member__Output>): grpc.ClientUnaryCall;
  getMember(argument: _sluice_v1_GetMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Member__Output>): grpc.ClientUnaryCall;
  getMember(argument: _sluice_v1_GetMemberRequest, callback: grpc.requestCallback<_sluice_v1_Member__Output>): grpc.ClientUnaryCall;
  
  ReleaseShards(argument: _sluice_v1_ReleaseShardsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ReleaseShardsResponse__Output>): grpc.ClientUnaryCall;
  ReleaseShards(argument: _sluice_v1_ReleaseShardsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ReleaseShardsResponse__Output>): grpc.ClientUnaryCall;
  ReleaseShards(argument: _sluice_v1_ReleaseShardsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ReleaseShardsResponse__Output>): grpc.ClientUnaryCall;
  ReleaseShards(argument: _sluice_v1_ReleaseShardsRequest, callback: grpc.requestCallback<_sluice_v1_ReleaseShardsResponse__Output>): grpc.ClientUnaryCall;
  releaseShards(argument: _sluice_v1_ReleaseShardsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ReleaseShardsResponse__Output>): grpc.ClientUnaryCall;
  releaseShards(argument: _sluice_v1_ReleaseShardsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ReleaseShardsResponse__Output>): grpc.ClientUnaryCall;
  releaseShards(argument: _sluice_v1_ReleaseShardsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ReleaseShardsResponse__Output>): grpc.ClientUnaryCall;
  releaseShards(argument: _sluice_v1_ReleaseShardsRequest, callback: grpc.requestCallback<_sluice_v1_ReleaseShardsResponse__Output>): grpc.ClientUnaryCall;
  
  WatchStored(argument: _sluice_v1_WatchStoredRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_LiveMessage__Output>;
  WatchStored(argument: _sluice_v1_WatchStoredRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_LiveMessage__Output>;
  watchStored(argument: _sluice_v1_WatchStoredRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_LiveMessage__Output>;
  watchStored(argument: _sluice_v1_WatchStoredRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_sluice_v1_LiveMessage__Output>;
  
}

export interface ClusterServiceHandlers extends grpc.UntypedServiceImplementation {
  DrainSelf: grpc.handleUnaryCall<_sluice_v1_DrainSelfRequest__Output, _sluice_v1_DrainResponse>;
  
  GetMember: grpc.handleUnaryCall<_sluice_v1_GetMemberRequest__Output, _sluice_v1_Member>;
  
  ReleaseShards: grpc.handleUnaryCall<_sluice_v1_ReleaseShardsRequest__Output, _sluice_v1_ReleaseShardsResponse>;
  
  WatchStored: grpc.handleServerStreamingCall<_sluice_v1_WatchStoredRequest__Output, _sluice_v1_LiveMessage>;
  
}

export interface ClusterServiceDefinition extends grpc.ServiceDefinition {
  DrainSelf: MethodDefinition<_sluice_v1_DrainSelfRequest, _sluice_v1_DrainResponse, _sluice_v1_DrainSelfRequest__Output, _sluice_v1_DrainResponse__Output>
  GetMember: MethodDefinition<_sluice_v1_GetMemberRequest, _sluice_v1_Member, _sluice_v1_GetMemberRequest__Output, _sluice_v1_Member__Output>
  ReleaseShards: MethodDefinition<_sluice_v1_ReleaseShardsRequest, _sluice_v1_ReleaseShardsResponse, _sluice_v1_ReleaseShardsRequest__Output, _sluice_v1_ReleaseShardsResponse__Output>
  WatchStored: MethodDefinition<_sluice_v1_WatchStoredRequest, _sluice_v1_LiveMessage, _sluice_v1_WatchStoredRequest__Output, _sluice_v1_LiveMessage__Output>
}
