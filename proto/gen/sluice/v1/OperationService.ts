// From proto/sluice/v1/operations.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ChangeDeadLettersRequest as _sluice_v1_ChangeDeadLettersRequest, ChangeDeadLettersRequest__Output as _sluice_v1_ChangeDeadLettersRequest__Output } from '../../sluice/v1/ChangeDeadLettersRequest.ts';
import type { CopyStatus as _sluice_v1_CopyStatus, CopyStatus__Output as _sluice_v1_CopyStatus__Output } from '../../sluice/v1/CopyStatus.ts';
import type { DeadLettersDone as _sluice_v1_DeadLettersDone, DeadLettersDone__Output as _sluice_v1_DeadLettersDone__Output } from '../../sluice/v1/DeadLettersDone.ts';
import type { DrainMemberRequest as _sluice_v1_DrainMemberRequest, DrainMemberRequest__Output as _sluice_v1_DrainMemberRequest__Output } from '../../sluice/v1/DrainMemberRequest.ts';
import type { DrainResponse as _sluice_v1_DrainResponse, DrainResponse__Output as _sluice_v1_DrainResponse__Output } from '../../sluice/v1/DrainResponse.ts';
import type { GetClusterCopyRequest as _sluice_v1_GetClusterCopyRequest, GetClusterCopyRequest__Output as _sluice_v1_GetClusterCopyRequest__Output } from '../../sluice/v1/GetClusterCopyRequest.ts';
import type { GetClusterRequest as _sluice_v1_GetClusterRequest, GetClusterRequest__Output as _sluice_v1_GetClusterRequest__Output } from '../../sluice/v1/GetClusterRequest.ts';
import type { GetStatusResponse as _sluice_v1_GetStatusResponse, GetStatusResponse__Output as _sluice_v1_GetStatusResponse__Output } from '../../sluice/v1/GetStatusResponse.ts';
import type { ListDeadLetterCausesRequest as _sluice_v1_ListDeadLetterCausesRequest, ListDeadLetterCausesRequest__Output as _sluice_v1_ListDeadLetterCausesRequest__Output } from '../../sluice/v1/ListDeadLetterCausesRequest.ts';
import type { ListDeadLetterCausesResponse as _sluice_v1_ListDeadLetterCausesResponse, ListDeadLetterCausesResponse__Output as _sluice_v1_ListDeadLetterCausesResponse__Output } from '../../sluice/v1/ListDeadLetterCausesResponse.ts';
import type { ListDeadLettersRequest as _sluice_v1_ListDeadLettersRequest, ListDeadLettersRequest__Output as _sluice_v1_ListDeadLettersRequest__Output } from '../../sluice/v1/ListDeadLettersRequest.ts';
import type { ListDeadLettersResponse as _sluice_v1_ListDeadLettersResponse, ListDeadLettersResponse__Output as _sluice_v1_ListDeadLettersResponse__Output } from '../../sluice/v1/ListDeadLettersResponse.ts';

export interface OperationServiceClient extends grpc.Client {
  DiscardDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  DiscardDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  DiscardDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  DiscardDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  discardDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  discardDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  discardDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  discardDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  
  DrainMember(argument: _sluice_v1_DrainMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  DrainMember(argument: _sluice_v1_DrainMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  DrainMember(argument: _sluice_v1_DrainMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  DrainMember(argument: _sluice_v1_DrainMemberRequest, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drainMember(argument: _sluice_v1_DrainMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drainMember(argument: _sluice_v1_DrainMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drainMember(argument: _sluice_v1_DrainMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drainMember(argument: _sluice_v1_DrainMemberRequest, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  
  GetCluster(argument: _sluice_v1_GetClusterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  GetCluster(argument: _sluice_v1_GetClusterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  GetCluster(argument: _sluice_v1_GetClusterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  GetCluster(argument: _sluice_v1_GetClusterRequest, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getCluster(argument: _sluice_v1_GetClusterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getCluster(argument: _sluice_v1_GetClusterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getCluster(argument: _sluice_v1_GetClusterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getCluster(argument: _sluice_v1_GetClusterRequest, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  
  GetClusterCopy(argument: _sluice_v1_GetClusterCopyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  GetClusterCopy(argument: _sluice_v1_GetClusterCopyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  GetClusterCopy(argument: _sluice_v1_GetClusterCopyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  GetClusterCopy(argument: _sluice_v1_GetClusterCopyRequest, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  getClusterCopy(argument: _sluice_v1_GetClusterCopyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  getClusterCopy(argument: _sluice_v1_GetClusterCopyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  getClusterCopy(argument: _sluice_v1_GetClusterCopyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  getClusterCopy(argument: _sluice_v1_GetClusterCopyRequest, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  
  ListDeadLetterCauses(argument: _sluice_v1_ListDeadLetterCausesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLetterCausesResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetterCauses(argument: _sluice_v1_ListDeadLetterCausesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListDeadLetterCausesResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetterCauses(argument: _sluice_v1_ListDeadLetterCausesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLetterCausesResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetterCauses(argument: _sluice_v1_ListDeadLetterCausesRequest, callback: grpc.requestCallback<_sluice_v1_ListDeadLetterCausesResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetterCauses(argument: _sluice_v1_ListDeadLetterCausesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLetterCausesResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetterCauses(argument: _sluice_v1_ListDeadLetterCausesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListDeadLetterCausesResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetterCauses(argument: _sluice_v1_ListDeadLetterCausesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLetterCausesResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetterCauses(argument: _sluice_v1_ListDeadLetterCausesRequest, callback: grpc.requestCallback<_sluice_v1_ListDeadLetterCausesResponse__Output>): grpc.ClientUnaryCall;
  
  ListDeadLetters(argument: _sluice_v1_ListDeadLettersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _sluice_v1_ListDeadLettersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _sluice_v1_ListDeadLettersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _sluice_v1_ListDeadLettersRequest, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _sluice_v1_ListDeadLettersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _sluice_v1_ListDeadLettersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _sluice_v1_ListDeadLettersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _sluice_v1_ListDeadLettersRequest, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  
  ReplayDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_ChangeDeadLettersRequest, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  
}

export interface OperationServiceHandlers extends grpc.UntypedServiceImplementation {
  DiscardDeadLetters: grpc.handleUnaryCall<_sluice_v1_ChangeDeadLettersRequest__Output, _sluice_v1_DeadLettersDone>;
  
  DrainMember: grpc.handleUnaryCall<_sluice_v1_DrainMemberRequest__Output, _sluice_v1_DrainResponse>;
  
  GetCluster: grpc.handleUnaryCall<_sluice_v1_GetClusterRequest__Output, _sluice_v1_GetStatusResponse>;
  
  GetClusterCopy: grpc.handleUnaryCall<_sluice_v1_GetClusterCopyRequest__Output, _sluice_v1_CopyStatus>;
  
  ListDeadLetterCauses: grpc.handleUnaryCall<_sluice_v1_ListDeadLetterCausesRequest__Output, _sluice_v1_ListDeadLetterCausesResponse>;
  
  ListDeadLetters: grpc.handleUnaryCall<_sluice_v1_ListDeadLettersRequest__Output, _sluice_v1_ListDeadLettersResponse>;
  
  ReplayDeadLetters: grpc.handleUnaryCall<_sluice_v1_ChangeDeadLettersRequest__Output, _sluice_v1_DeadLettersDone>;
  
}

export interface OperationServiceDefinition extends grpc.ServiceDefinition {
  DiscardDeadLetters: MethodDefinition<_sluice_v1_ChangeDeadLettersRequest, _sluice_v1_DeadLettersDone, _sluice_v1_ChangeDeadLettersRequest__Output, _sluice_v1_DeadLettersDone__Output>
  DrainMember: MethodDefinition<_sluice_v1_DrainMemberRequest, _sluice_v1_DrainResponse, _sluice_v1_DrainMemberRequest__Output, _sluice_v1_DrainResponse__Output>
  GetCluster: MethodDefinition<_sluice_v1_GetClusterRequest, _sluice_v1_GetStatusResponse, _sluice_v1_GetClusterRequest__Output, _sluice_v1_GetStatusResponse__Output>
  GetClusterCopy: MethodDefinition<_sluice_v1_GetClusterCopyRequest, _sluice_v1_CopyStatus, _sluice_v1_GetClusterCopyRequest__Output, _sluice_v1_CopyStatus__Output>
  ListDeadLetterCauses: MethodDefinition<_sluice_v1_ListDeadLetterCausesRequest, _sluice_v1_ListDeadLetterCausesResponse, _sluice_v1_ListDeadLetterCausesRequest__Output, _sluice_v1_ListDeadLetterCausesResponse__Output>
  ListDeadLetters: MethodDefinition<_sluice_v1_ListDeadLettersRequest, _sluice_v1_ListDeadLettersResponse, _sluice_v1_ListDeadLettersRequest__Output, _sluice_v1_ListDeadLettersResponse__Output>
  ReplayDeadLetters: MethodDefinition<_sluice_v1_ChangeDeadLettersRequest, _sluice_v1_DeadLettersDone, _sluice_v1_ChangeDeadLettersRequest__Output, _sluice_v1_DeadLettersDone__Output>
}
