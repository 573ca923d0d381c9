// From proto/sluice/v1/admin.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateUserRequest as _sluice_v1_CreateUserRequest, CreateUserRequest__Output as _sluice_v1_CreateUserRequest__Output } from './CreateUserRequest.ts';
import type { CreateUserResponse as _sluice_v1_CreateUserResponse, CreateUserResponse__Output as _sluice_v1_CreateUserResponse__Output } from './CreateUserResponse.ts';
import type { DeadLetter as _sluice_v1_DeadLetter, DeadLetter__Output as _sluice_v1_DeadLetter__Output } from './DeadLetter.ts';
import type { DeadLetterFilter as _sluice_v1_DeadLetterFilter, DeadLetterFilter__Output as _sluice_v1_DeadLetterFilter__Output } from './DeadLetterFilter.ts';
import type { DeadLettersDone as _sluice_v1_DeadLettersDone, DeadLettersDone__Output as _sluice_v1_DeadLettersDone__Output } from './DeadLettersDone.ts';
import type { DrainRequest as _sluice_v1_DrainRequest, DrainRequest__Output as _sluice_v1_DrainRequest__Output } from './DrainRequest.ts';
import type { DrainResponse as _sluice_v1_DrainResponse, DrainResponse__Output as _sluice_v1_DrainResponse__Output } from './DrainResponse.ts';
import type { GetDeadLetterRequest as _sluice_v1_GetDeadLetterRequest, GetDeadLetterRequest__Output as _sluice_v1_GetDeadLetterRequest__Output } from './GetDeadLetterRequest.ts';
import type { GetSpillRequest as _sluice_v1_GetSpillRequest, GetSpillRequest__Output as _sluice_v1_GetSpillRequest__Output } from './GetSpillRequest.ts';
import type { GetStatusRequest as _sluice_v1_GetStatusRequest, GetStatusRequest__Output as _sluice_v1_GetStatusRequest__Output } from './GetStatusRequest.ts';
import type { GetStatusResponse as _sluice_v1_GetStatusResponse, GetStatusResponse__Output as _sluice_v1_GetStatusResponse__Output } from './GetStatusResponse.ts';
import type { ListDeadLettersResponse as _sluice_v1_ListDeadLettersResponse, ListDeadLettersResponse__Output as _sluice_v1_ListDeadLettersResponse__Output } from './ListDeadLettersResponse.ts';
import type { SpillStatus as _sluice_v1_SpillStatus, SpillStatus__Output as _sluice_v1_SpillStatus__Output } from './SpillStatus.ts';

export interface AdminServiceClient extends grpc.Client {
  CreateUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _sluice_v1_CreateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _sluice_v1_CreateUserRequest, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  
  DiscardDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  DiscardDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  DiscardDeadLetters(argument: _sluice_v1_DeadLetterFilter, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  DiscardDeadLetters(argument: _sluice_v1_DeadLetterFilter, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  discardDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  discardDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  discardDeadLetters(argument: _sluice_v1_DeadLetterFilter, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  discardDeadLetters(argument: _sluice_v1_DeadLetterFilter, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  
  Drain(argument: _sluice_v1_DrainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  Drain(argument: _sluice_v1_DrainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  Drain(argument: _sluice_v1_DrainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  Drain(argument: _sluice_v1_DrainRequest, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drain(argument: _sluice_v1_DrainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drain(argument: _sluice_v1_DrainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drain(argument: _sluice_v1_DrainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drain(argument: _sluice_v1_DrainRequest, callback: grpc.requestCallback<_sluice_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  
  GetDeadLetter(argument: _sluice_v1_GetDeadLetterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  GetDeadLetter(argument: _sluice_v1_GetDeadLetterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  GetDeadLetter(argument: _sluice_v1_GetDeadLetterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  GetDeadLetter(argument: _sluice_v1_GetDeadLetterRequest, callback: grpc.requestCallback<_sluice_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  getDeadLetter(argument: _sluice_v1_GetDeadLetterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  getDeadLetter(argument: _sluice_v1_GetDeadLetterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  getDeadLetter(argument: _sluice_v1_GetDeadLetterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  getDeadLetter(argument: _sluice_v1_GetDeadLetterRequest, callback: grpc.requestCallback<_sluice_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  
  GetSpill(argument: _sluice_v1_GetSpillRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SpillStatus__Output>): grpc.ClientUnaryCall;
  GetSpill(argument: _sluice_v1_GetSpillRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SpillStatus__Output>): grpc.ClientUnaryCall;
  GetSpill(argument: _sluice_v1_GetSpillRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SpillStatus__Output>): grpc.ClientUnaryCall;
  GetSpill(argument: _sluice_v1_GetSpillRequest, callback: grpc.requestCallback<_sluice_v1_SpillStatus__Output>): grpc.ClientUnaryCall;
  getSpill(argument: _sluice_v1_GetSpillRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SpillStatus__Output>): grpc.ClientUnaryCall;
  getSpill(argument: _sluice_v1_GetSpillRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SpillStatus__Output>): grpc.ClientUnaryCall;
  getSpill(argument: _sluice_v1_GetSpillRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SpillStatus__Output>): grpc.ClientUnaryCall;
  getSpill(argument: _sluice_v1_GetSpillRequest, callback: grpc.requestCallback<_sluice_v1_SpillStatus__Output>): grpc.ClientUnaryCall;
  
  GetStatus(argument: _sluice_v1_GetStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _sluice_v1_GetStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _sluice_v1_GetStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _sluice_v1_GetStatusRequest, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _sluice_v1_GetStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _sluice_v1_GetStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _sluice_v1_GetStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _sluice_v1_GetStatusRequest, callback: grpc.requestCallback<_sluice_v1_GetStatusResponse__Output>): grpc.ClientUnaryCall;
  
  ListDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _sluice_v1_DeadLetterFilter, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _sluice_v1_DeadLetterFilter, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _sluice_v1_DeadLetterFilter, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _sluice_v1_DeadLetterFilter, callback: grpc.requestCallback<_sluice_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  
  ReplayDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetters(argument: _sluice_v1_DeadLetterFilter, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetters(argument: _sluice_v1_DeadLetterFilter, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_DeadLetterFilter, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_DeadLetterFilter, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  
}

export interface AdminServiceHandlers extends grpc.UntypedServiceImplementation {
  CreateUser: grpc.handleUnaryCall<_sluice_v1_CreateUserRequest__Output, _sluice_v1_CreateUserResponse>;
  
  DiscardDeadLetters: grpc.handleUnaryCall<_sluice_v1_DeadLetterFilter__Output, _sluice_v1_DeadLettersDone>;
  
  Drain: grpc.handleUnaryCall<_sluice_v1_DrainRequest__Output, _sluice_v1_DrainResponse>;
  
  GetDeadLetter: grpc.handleUnaryCall<_sluice_v1_GetDeadLetterRequest__Output, _sluice_v1_DeadLetter>;
  
  GetSpill: grpc.handleUnaryCall<_sluice_v1_GetSpillRequest__Output, _sluice_v1_SpillStatus>;
  
  GetStatus: grpc.handleUnaryCall<_sluice_v1_GetStatusRequest__Output, _sluice_v1_GetStatusResponse>;
  
  ListDeadLetters: grpc.handleUnaryCall<_sluice_v1_DeadLetterFilter__Output, _sluice_v1_ListDeadLettersResponse>;
  
  ReplayDeadLetters: grpc.handleUnaryCall<_sluice_v1_DeadLetterFilter__Output, _sluice_v1_DeadLettersDone>;
  
}

export interface AdminServiceDefinition extends grpc.ServiceDefinition {
  CreateUser: MethodDefinition<_sluice_v1_CreateUserRequest, _sluice_v1_CreateUserResponse, _sluice_v1_CreateUserRequest__Output, _sluice_v1_CreateUserResponse__Output>
  DiscardDeadLetters: MethodDefinition<_sluice_v1_DeadLetterFilter, _sluice_v1_DeadLettersDone, _sluice_v1_DeadLetterFilter__Output, _sluice_v1_DeadLettersDone__Output>
  Drain: MethodDefinition<_sluice_v1_DrainRequest, _sluice_v1_DrainResponse, _sluice_v1_DrainRequest__Output, _sluice_v1_DrainResponse__Output>
  GetDeadLetter: MethodDefinition<_sluice_v1_GetDeadLetterRequest, _sluice_v1_DeadLetter, _sluice_v1_GetDeadLetterRequest__Output, _sluice_v1_DeadLetter__Output>
  GetSpill: MethodDefinition<_sluice_v1_GetSpillRequest, _sluice_v1_SpillStatus, _sluice_v1_GetSpillRequest__Output, _sluice_v1_SpillStatus__Output>
  GetStatus: MethodDefinition<_sluice_v1_GetStatusRequest, _sluice_v1_GetStatusResponse, _sluice_v1_GetStatusRequest__Output, _sluice_v1_GetStatusResponse__Output>
  ListDeadLetters: MethodDefinition<_sluice_v1_DeadLetterFilter, _sluice_v1_ListDeadLettersResponse, _sluice_v1_DeadLetterFilter__Output, _sluice_v1_ListDeadLettersResponse__Output>
  ReplayDeadLetters: MethodDefinition<_sluice_v1_DeadLetterFilter, _sluice_v1_DeadLettersDone, _sluice_v1_DeadLetterFilter__Output, _sluice_v1_DeadLettersDone__Output>
}
