// From proto/sluice/v1/personal_api_keys.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreatePersonalApiKeyRequest as _sluice_v1_CreatePersonalApiKeyRequest, CreatePersonalApiKeyRequest__Output as _sluice_v1_CreatePersonalApiKeyRequest__Output } from '../../sluice/v1/CreatePersonalApiKeyRequest.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetPersonalApiKeyRequest as _sluice_v1_GetPersonalApiKeyRequest, GetPersonalApiKeyRequest__Output as _sluice_v1_GetPersonalApiKeyRequest__Output } from '../../sluice/v1/GetPersonalApiKeyRequest.ts';
import type { ListPersonalApiKeysRequest as _sluice_v1_ListPersonalApiKeysRequest, ListPersonalApiKeysRequest__Output as _sluice_v1_ListPersonalApiKeysRequest__Output } from '../../sluice/v1/ListPersonalApiKeysRequest.ts';
import type { ListPersonalApiKeysResponse as _sluice_v1_ListPersonalApiKeysResponse, ListPersonalApiKeysResponse__Output as _sluice_v1_ListPersonalApiKeysResponse__Output } from '../../sluice/v1/ListPersonalApiKeysResponse.ts';
import type { PersonalApiKey as _sluice_v1_PersonalApiKey, PersonalApiKey__Output as _sluice_v1_PersonalApiKey__Output } from '../../sluice/v1/PersonalApiKey.ts';
import type { UpdatePersonalApiKeyRequest as _sluice_v1_UpdatePersonalApiKeyRequest, UpdatePersonalApiKeyRequest__Output as _sluice_v1_UpdatePersonalApiKeyRequest__Output } from '../../sluice/v1/UpdatePersonalApiKeyRequest.ts';

export interface PersonalApiKeyServiceClient extends grpc.Client {
  CreatePersonalApiKey(argument: _sluice_v1_CreatePersonalApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  CreatePersonalApiKey(argument: _sluice_v1_CreatePersonalApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  CreatePersonalApiKey(argument: _sluice_v1_CreatePersonalApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  CreatePersonalApiKey(argument: _sluice_v1_CreatePersonalApiKeyRequest, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  createPersonalApiKey(argument: _sluice_v1_CreatePersonalApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  createPersonalApiKey(argument: _sluice_v1_CreatePersonalApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  createPersonalApiKey(argument: _sluice_v1_CreatePersonalApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  createPersonalApiKey(argument: _sluice_v1_CreatePersonalApiKeyRequest, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  
  DeletePersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeletePersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeletePersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeletePersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deletePersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  GetPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  GetPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  GetPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  GetPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  getPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  getPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  getPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  getPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  
  ListPersonalApiKeys(argument: _sluice_v1_ListPersonalApiKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListPersonalApiKeys(argument: _sluice_v1_ListPersonalApiKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListPersonalApiKeys(argument: _sluice_v1_ListPersonalApiKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListPersonalApiKeys(argument: _sluice_v1_ListPersonalApiKeysRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listPersonalApiKeys(argument: _sluice_v1_ListPersonalApiKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listPersonalApiKeys(argument: _sluice_v1_ListPersonalApiKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listPersonalApiKeys(argument: _sluice_v1_ListPersonalApiKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listPersonalApiKeys(argument: _sluice_v1_ListPersonalApiKeysRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  
  RollPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  RollPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  RollPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  RollPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  rollPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  rollPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  rollPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  rollPersonalApiKey(argument: _sluice_v1_GetPersonalApiKeyRequest, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  
  UpdatePersonalApiKey(argument: _sluice_v1_UpdatePersonalApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  UpdatePersonalApiKey(argument: _sluice_v1_UpdatePersonalApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  UpdatePersonalApiKey(argument: _sluice_v1_UpdatePersonalApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  UpdatePersonalApiKey(argument: _sluice_v1_UpdatePersonalApiKeyRequest, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  updatePersonalApiKey(argument: _sluice_v1_UpdatePersonalApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  updatePersonalApiKey(argument: _sluice_v1_UpdatePersonalApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  updatePersonalApiKey(argument: _sluice_v1_UpdatePersonalApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  updatePersonalApiKey(argument: _sluice_v1_UpdatePersonalApiKeyRequest, callback: grpc.requestCallback<_sluice_v1_PersonalApiKey__Output>): grpc.ClientUnaryCall;
  
}

export interface PersonalApiKeyServiceHandlers extends grpc.UntypedServiceImplementation {
  CreatePersonalApiKey: grpc.handleUnaryCall<_sluice_v1_CreatePersonalApiKeyRequest__Output, _sluice_v1_PersonalApiKey>;
  
  DeletePersonalApiKey: grpc.handleUnaryCall<_sluice_v1_GetPersonalApiKeyRequest__Output, _google_protobuf_Empty>;
  
  GetPersonalApiKey: grpc.handleUnaryCall<_sluice_v1_GetPersonalApiKeyRequest__Output, _sluice_v1_PersonalApiKey>;
  
  ListPersonalApiKeys: grpc.handleUnaryCall<_sluice_v1_ListPersonalApiKeysRequest__Output, _sluice_v1_ListPersonalApiKeysResponse>;
  
  RollPersonalApiKey: grpc.handleUnaryCall<_sluice_v1_GetPersonalApiKeyRequest__Output, _sluice_v1_PersonalApiKey>;
  
  UpdatePersonalApiKey: grpc.handleUnaryCall<_sluice_v1_UpdatePersonalApiKeyRequest__Output, _sluice_v1_PersonalApiKey>;
  
}

export interface PersonalApiKeyServiceDefinition extends grpc.ServiceDefinition {
  CreatePersonalApiKey: MethodDefinition<_sluice_v1_CreatePersonalApiKeyRequest, _sluice_v1_PersonalApiKey, _sluice_v1_CreatePersonalApiKeyRequest__Output, _sluice_v1_PersonalApiKey__Output>
  DeletePersonalApiKey: MethodDefinition<_sluice_v1_GetPersonalApiKeyRequest, _google_protobuf_Empty, _sluice_v1_GetPersonalApiKeyRequest__Output, _google_protobuf_Empty__Output>
  GetPersonalApiKey: MethodDefinition<_sluice_v1_GetPersonalApiKeyRequest, _sluice_v1_PersonalApiKey, _sluice_v1_GetPersonalApiKeyRequest__Output, _sluice_v1_PersonalApiKey__Output>
  ListPersonalApiKeys: MethodDefinition<_sluice_v1_ListPersonalApiKeysRequest, _sluice_v1_ListPersonalApiKeysResponse, _sluice_v1_ListPersonalApiKeysRequest__Output, _sluice_v1_ListPersonalApiKeysResponse__Output>
  RollPersonalApiKey: MethodDefinition<_sluice_v1_GetPersonalApiKeyRequest, _sluice_v1_PersonalApiKey, _sluice_v1_GetPersonalApiKeyRequest__Output, _sluice_v1_PersonalApiKey__Output>
  UpdatePersonalApiKey: MethodDefinition<_sluice_v1_UpdatePersonalApiKeyRequest, _sluice_v1_PersonalApiKey, _sluice_v1_UpdatePersonalApiKeyRequest__Output, _sluice_v1_PersonalApiKey__Output>
}
