// From proto/sluice/v1/persons.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DeletePersonRequest as _sluice_v1_DeletePersonRequest, DeletePersonRequest__Output as _sluice_v1_DeletePersonRequest__Output } from '../../sluice/v1/DeletePersonRequest.ts';
import type { Deletion as _sluice_v1_Deletion, Deletion__Output as _sluice_v1_Deletion__Output } from '../../sluice/v1/Deletion.ts';
import type { ExportPersonRequest as _sluice_v1_ExportPersonRequest, ExportPersonRequest__Output as _sluice_v1_ExportPersonRequest__Output } from '../../sluice/v1/ExportPersonRequest.ts';
import type { ExportPersonResponse as _sluice_v1_ExportPersonResponse, ExportPersonResponse__Output as _sluice_v1_ExportPersonResponse__Output } from '../../sluice/v1/ExportPersonResponse.ts';

export interface PersonServiceClient extends grpc.Client {
  DeletePerson(argument: _sluice_v1_DeletePersonRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  DeletePerson(argument: _sluice_v1_DeletePersonRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  DeletePerson(argument: _sluice_v1_DeletePersonRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  DeletePerson(argument: _sluice_v1_DeletePersonRequest, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  deletePerson(argument: _sluice_v1_DeletePersonRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  deletePerson(argument: _sluice_v1_DeletePersonRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  deletePerson(argument: _sluice_v1_DeletePersonRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  deletePerson(argument: _sluice_v1_DeletePersonRequest, callback: grpc.requestCallback<_sluice_v1_Deletion__Output>): grpc.ClientUnaryCall;
  
  ExportPerson(argument: _sluice_v1_ExportPersonRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ExportPersonResponse__Output>): grpc.ClientUnaryCall;
  ExportPerson(argument: _sluice_v1_ExportPersonRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ExportPersonResponse__Output>): grpc.ClientUnaryCall;
  ExportPerson(argument: _sluice_v1_ExportPersonRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ExportPersonResponse__Output>): grpc.ClientUnaryCall;
  ExportPerson(argument: _sluice_v1_ExportPersonRequest, callback: grpc.requestCallback<_sluice_v1_ExportPersonResponse__Output>): grpc.ClientUnaryCall;
  exportPerson(argument: _sluice_v1_ExportPersonRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ExportPersonResponse__Output>): grpc.ClientUnaryCall;
  exportPerson(argument: _sluice_v1_ExportPersonRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ExportPersonResponse__Output>): grpc.ClientUnaryCall;
  exportPerson(argument: _sluice_v1_ExportPersonRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ExportPersonResponse__Output>): grpc.ClientUnaryCall;
  exportPerson(argument: _sluice_v1_ExportPersonRequest, callback: grpc.requestCallback<_sluice_v1_ExportPersonResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface PersonServiceHandlers extends grpc.UntypedServiceImplementation {
  DeletePerson: grpc.handleUnaryCall<_sluice_v1_DeletePersonRequest__Output, _sluice_v1_Deletion>;
  
  ExportPerson: grpc.handleUnaryCall<_sluice_v1_ExportPersonRequest__Output, _sluice_v1_ExportPersonResponse>;
  
}

export interface PersonServiceDefinition extends grpc.ServiceDefinition {
  DeletePerson: MethodDefinition<_sluice_v1_DeletePersonRequest, _sluice_v1_Deletion, _sluice_v1_DeletePersonRequest__Output, _sluice_v1_Deletion__Output>
  ExportPerson: MethodDefinition<_sluice_v1_ExportPersonRequest, _sluice_v1_ExportPersonResponse, _sluice_v1_ExportPersonRequest__Output, _sluice_v1_ExportPersonResponse__Output>
}
