// From proto/sluice/v1/persons.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DeletePersonRequest as _sluice_v1_DeletePersonRequest, DeletePersonRequest__Output as _sluice_v1_DeletePersonRequest__Output } from '../../sluice/v1/DeletePersonRequest.ts';
import type { Deletion as _sluice_v1_Deletion, Deletion__Output as _sluice_v1_Deletion__Output } from '../../sluice/v1/Deletion.ts';
import type { ExportPersonRequest as _sluice_v1_ExportPersonRequest, ExportPersonRequest__Output as _sluice_v1_ExportPersonRequest__Output } from '../../sluice/v1/ExportPersonRequest.ts';
import type { ExportPersonResponse as _sluice_v1_ExportPersonResponse, ExportPersonResponse__Output as _sluice_v1_ExportPersonResponse__Output } from '../../sluice/v1/ExportPersonResponse.ts';
import type { GetPersonRequest as _sluice_v1_GetPersonRequest, GetPersonRequest__Output as _sluice_v1_GetPersonRequest__Output } from '../../sluice/v1/GetPersonRequest.ts';
import type { ListPersonsRequest as _sluice_v1_ListPersonsRequest, ListPersonsRequest__Output as _sluice_v1_ListPersonsRequest__Output } from '../../sluice/v1/ListPersonsRequest.ts';
import type { ListPersonsResponse as _sluice_v1_ListPersonsResponse, ListPersonsResponse__Output as _sluice_v1_ListPersonsResponse__Output } from '../../sluice/v1/ListPersonsResponse.ts';
import type { MergePersonsRequest as _sluice_v1_MergePersonsRequest, MergePersonsRequest__Output as _sluice_v1_MergePersonsRequest__Output } from '../../sluice/v1/MergePersonsRequest.ts';
import type { MergePersonsResponse as _sluice_v1_MergePersonsResponse, MergePersonsResponse__Output as _sluice_v1_MergePersonsResponse__Output } from '../../sluice/v1/MergePersonsResponse.ts';
import type { Person as _sluice_v1_Person, Person__Output as _sluice_v1_Person__Output } from '../../sluice/v1/Person.ts';
import type { UpdatePersonRequest as _sluice_v1_UpdatePersonRequest, UpdatePersonRequest__Output as _sluice_v1_UpdatePersonRequest__Output } from '../../sluice/v1/UpdatePersonRequest.ts';

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
  
  GetPerson(argument: _sluice_v1_GetPersonRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  GetPerson(argument: _sluice_v1_GetPersonRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  GetPerson(argument: _sluice_v1_GetPersonRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  GetPerson(argument: _sluice_v1_GetPersonRequest, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  getPerson(argument: _sluice_v1_GetPersonRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  getPerson(argument: _sluice_v1_GetPersonRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  getPerson(argument: _sluice_v1_GetPersonRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  getPerson(argument: _sluice_v1_GetPersonRequest, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  
  ListPersons(argument: _sluice_v1_ListPersonsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  ListPersons(argument: _sluice_v1_ListPersonsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  ListPersons(argument: _sluice_v1_ListPersonsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  ListPersons(argument: _sluice_v1_ListPersonsRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  listPersons(argument: _sluice_v1_ListPersonsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  listPersons(argument: _sluice_v1_ListPersonsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  listPersons(argument: _sluice_v1_ListPersonsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  listPersons(argument: _sluice_v1_ListPersonsRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  
  MergePersons(argument: _sluice_v1_MergePersonsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_MergePersonsResponse__Output>): grpc.ClientUnaryCall;
  MergePersons(argument: _sluice_v1_MergePersonsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_MergePersonsResponse__Output>): grpc.ClientUnaryCall;
  MergePersons(argument: _sluice_v1_MergePersonsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_MergePersonsResponse__Output>): grpc.ClientUnaryCall;
  MergePersons(argument: _sluice_v1_MergePersonsRequest, callback: grpc.requestCallback<_sluice_v1_MergePersonsResponse__Output>): grpc.ClientUnaryCall;
  mergePersons(argument: _sluice_v1_MergePersonsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_MergePersonsResponse__Output>): grpc.ClientUnaryCall;
  mergePersons(argument: _sluice_v1_MergePersonsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_MergePersonsResponse__Output>): grpc.ClientUnaryCall;
  mergePersons(argument: _sluice_v1_MergePersonsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_MergePersonsResponse__Output>): grpc.ClientUnaryCall;
  mergePersons(argument: _sluice_v1_MergePersonsRequest, callback: grpc.requestCallback<_sluice_v1_MergePersonsResponse__Output>): grpc.ClientUnaryCall;
  
  UpdatePerson(argument: _sluice_v1_UpdatePersonRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  UpdatePerson(argument: _sluice_v1_UpdatePersonRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  UpdatePerson(argument: _sluice_v1_UpdatePersonRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  UpdatePerson(argument: _sluice_v1_UpdatePersonRequest, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  updatePerson(argument: _sluice_v1_UpdatePersonRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  updatePerson(argument: _sluice_v1_UpdatePersonRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  updatePerson(argument: _sluice_v1_UpdatePersonRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  updatePerson(argument: _sluice_v1_UpdatePersonRequest, callback: grpc.requestCallback<_sluice_v1_Person__Output>): grpc.ClientUnaryCall;
  
}

export interface PersonServiceHandlers extends grpc.UntypedServiceImplementation {
  DeletePerson: grpc.handleUnaryCall<_sluice_v1_DeletePersonRequest__Output, _sluice_v1_Deletion>;
  
  ExportPerson: grpc.handleUnaryCall<_sluice_v1_ExportPersonRequest__Output, _sluice_v1_ExportPersonResponse>;
  
  GetPerson: grpc.handleUnaryCall<_sluice_v1_GetPersonRequest__Output, _sluice_v1_Person>;
  
  ListPersons: grpc.handleUnaryCall<_sluice_v1_ListPersonsRequest__Output, _sluice_v1_ListPersonsResponse>;
  
  MergePersons: grpc.handleUnaryCall<_sluice_v1_MergePersonsRequest__Output, _sluice_v1_MergePersonsResponse>;
  
  UpdatePerson: grpc.handleUnaryCall<_sluice_v1_UpdatePersonRequest__Output, _sluice_v1_Person>;
  
}

export interface PersonServiceDefinition extends grpc.ServiceDefinition {
  DeletePerson: MethodDefinition<_sluice_v1_DeletePersonRequest, _sluice_v1_Deletion, _sluice_v1_DeletePersonRequest__Output, _sluice_v1_Deletion__Output>
  ExportPerson: MethodDefinition<_sluice_v1_ExportPersonRequest, _sluice_v1_ExportPersonResponse, _sluice_v1_ExportPersonRequest__Output, _sluice_v1_ExportPersonResponse__Output>
  GetPerson: MethodDefinition<_sluice_v1_GetPersonRequest, _sluice_v1_Person, _sluice_v1_GetPersonRequest__Output, _sluice_v1_Person__Output>
  ListPersons: MethodDefinition<_sluice_v1_ListPersonsRequest, _sluice_v1_ListPersonsResponse, _sluice_v1_ListPersonsRequest__Output, _sluice_v1_ListPersonsResponse__Output>
  MergePersons: MethodDefinition<_sluice_v1_MergePersonsRequest, _sluice_v1_MergePersonsResponse, _sluice_v1_MergePersonsRequest__Output, _sluice_v1_MergePersonsResponse__Output>
  UpdatePerson: MethodDefinition<_sluice_v1_UpdatePersonRequest, _sluice_v1_Person, _sluice_v1_UpdatePersonRequest__Output, _sluice_v1_Person__Output>
}
