// From proto/sluice/v1/members.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetOrganizationMemberRequest as _sluice_v1_GetOrganizationMemberRequest, GetOrganizationMemberRequest__Output as _sluice_v1_GetOrganizationMemberRequest__Output } from '../../sluice/v1/GetOrganizationMemberRequest.ts';
import type { ListOrganizationMembersRequest as _sluice_v1_ListOrganizationMembersRequest, ListOrganizationMembersRequest__Output as _sluice_v1_ListOrganizationMembersRequest__Output } from '../../sluice/v1/ListOrganizationMembersRequest.ts';
import type { ListOrganizationMembersResponse as _sluice_v1_ListOrganizationMembersResponse, ListOrganizationMembersResponse__Output as _sluice_v1_ListOrganizationMembersResponse__Output } from '../../sluice/v1/ListOrganizationMembersResponse.ts';
import type { ListPersonalApiKeysResponse as _sluice_v1_ListPersonalApiKeysResponse, ListPersonalApiKeysResponse__Output as _sluice_v1_ListPersonalApiKeysResponse__Output } from '../../sluice/v1/ListPersonalApiKeysResponse.ts';
import type { OrganizationMember as _sluice_v1_OrganizationMember, OrganizationMember__Output as _sluice_v1_OrganizationMember__Output } from '../../sluice/v1/OrganizationMember.ts';
import type { RevokeMemberKeyRequest as _sluice_v1_RevokeMemberKeyRequest, RevokeMemberKeyRequest__Output as _sluice_v1_RevokeMemberKeyRequest__Output } from '../../sluice/v1/RevokeMemberKeyRequest.ts';
import type { UpdateOrganizationMemberRequest as _sluice_v1_UpdateOrganizationMemberRequest, UpdateOrganizationMemberRequest__Output as _sluice_v1_UpdateOrganizationMemberRequest__Output } from '../../sluice/v1/UpdateOrganizationMemberRequest.ts';

export interface OrganizationMemberServiceClient extends grpc.Client {
  GetOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  GetOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  GetOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  GetOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  getOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  getOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  getOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  getOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  
  ListMemberKeys(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListMemberKeys(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListMemberKeys(argument: _sluice_v1_GetOrganizationMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListMemberKeys(argument: _sluice_v1_GetOrganizationMemberRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listMemberKeys(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listMemberKeys(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listMemberKeys(argument: _sluice_v1_GetOrganizationMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listMemberKeys(argument: _sluice_v1_GetOrganizationMemberRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonalApiKeysResponse__Output>): grpc.ClientUnaryCall;
  
  ListOrganizationMembers(argument: _sluice_v1_ListOrganizationMembersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListOrganizationMembersResponse__Output>): grpc.ClientUnaryCall;
  ListOrganizationMembers(argument: _sluice_v1_ListOrganizationMembersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListOrganizationMembersResponse__Output>): grpc.ClientUnaryCall;
  ListOrganizationMembers(argument: _sluice_v1_ListOrganizationMembersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListOrganizationMembersResponse__Output>): grpc.ClientUnaryCall;
  ListOrganizationMembers(argument: _sluice_v1_ListOrganizationMembersRequest, callback: grpc.requestCallback<_sluice_v1_ListOrganizationMembersResponse__Output>): grpc.ClientUnaryCall;
  listOrganizationMembers(argument: _sluice_v1_ListOrganizationMembersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListOrganizationMembersResponse__Output>): grpc.ClientUnaryCall;
  listOrganizationMembers(argument: _sluice_v1_ListOrganizationMembersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListOrganizationMembersResponse__Output>): grpc.ClientUnaryCall;
  listOrganizationMembers(argument: _sluice_v1_ListOrganizationMembersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListOrganizationMembersResponse__Output>): grpc.ClientUnaryCall;
  listOrganizationMembers(argument: _sluice_v1_ListOrganizationMembersRequest, callback: grpc.requestCallback<_sluice_v1_ListOrganizationMembersResponse__Output>): grpc.ClientUnaryCall;
  
  RemoveOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  RemoveOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  RemoveOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  RemoveOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  removeOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  removeOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  removeOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  removeOrganizationMember(argument: _sluice_v1_GetOrganizationMemberRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  RevokeMemberKey(argument: _sluice_v1_RevokeMemberKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  RevokeMemberKey(argument: _sluice_v1_RevokeMemberKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  RevokeMemberKey(argument: _sluice_v1_RevokeMemberKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  RevokeMemberKey(argument: _sluice_v1_RevokeMemberKeyRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  revokeMemberKey(argument: _sluice_v1_RevokeMemberKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  revokeMemberKey(argument: _sluice_v1_RevokeMemberKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  revokeMemberKey(argument: _sluice_v1_RevokeMemberKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  revokeMemberKey(argument: _sluice_v1_RevokeMemberKeyRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  UpdateOrganizationMember(argument: _sluice_v1_UpdateOrganizationMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  UpdateOrganizationMember(argument: _sluice_v1_UpdateOrganizationMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  UpdateOrganizationMember(argument: _sluice_v1_UpdateOrganizationMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  UpdateOrganizationMember(argument: _sluice_v1_UpdateOrganizationMemberRequest, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  updateOrganizationMember(argument: _sluice_v1_UpdateOrganizationMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  updateOrganizationMember(argument: _sluice_v1_UpdateOrganizationMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  updateOrganizationMember(argument: _sluice_v1_UpdateOrganizationMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  updateOrganizationMember(argument: _sluice_v1_UpdateOrganizationMemberRequest, callback: grpc.requestCallback<_sluice_v1_OrganizationMember__Output>): grpc.ClientUnaryCall;
  
}

export interface OrganizationMemberServiceHandlers extends grpc.UntypedServiceImplementation {
  GetOrganizationMember: grpc.handleUnaryCall<_sluice_v1_GetOrganizationMemberRequest__Output, _sluice_v1_OrganizationMember>;
  
  ListMemberKeys: grpc.handleUnaryCall<_sluice_v1_GetOrganizationMemberRequest__Output, _sluice_v1_ListPersonalApiKeysResponse>;
  
  ListOrganizationMembers: grpc.handleUnaryCall<_sluice_v1_ListOrganizationMembersRequest__Output, _sluice_v1_ListOrganizationMembersResponse>;
  
  RemoveOrganizationMember: grpc.handleUnaryCall<_sluice_v1_GetOrganizationMemberRequest__Output, _google_protobuf_Empty>;
  
  RevokeMemberKey: grpc.handleUnaryCall<_sluice_v1_RevokeMemberKeyRequest__Output, _google_protobuf_Empty>;
  
  UpdateOrganizationMember: grpc.handleUnaryCall<_sluice_v1_UpdateOrganizationMemberRequest__Output, _sluice_v1_OrganizationMember>;
  
}

export interface OrganizationMemberServiceDefinition extends grpc.ServiceDefinition {
  GetOrganizationMember: MethodDefinition<_sluice_v1_GetOrganizationMemberRequest, _sluice_v1_OrganizationMember, _sluice_v1_GetOrganizationMemberRequest__Output, _sluice_v1_OrganizationMember__Output>
  ListMemberKeys: MethodDefinition<_sluice_v1_GetOrganizationMemberRequest, _sluice_v1_ListPersonalApiKeysResponse, _sluice_v1_GetOrganizationMemberRequest__Output, _sluice_v1_ListPersonalApiKeysResponse__Output>
  ListOrganizationMembers: MethodDefinition<_sluice_v1_ListOrganizationMembersRequest, _sluice_v1_ListOrganizationMembersResponse, _sluice_v1_ListOrganizationMembersRequest__Output, _sluice_v1_ListOrganizationMembersResponse__Output>
  RemoveOrganizationMember: MethodDefinition<_sluice_v1_GetOrganizationMemberRequest, _google_protobuf_Empty, _sluice_v1_GetOrganizationMemberRequest__Output, _google_protobuf_Empty__Output>
  RevokeMemberKey: MethodDefinition<_sluice_v1_RevokeMemberKeyRequest, _google_protobuf_Empty, _sluice_v1_RevokeMemberKeyRequest__Output, _google_protobuf_Empty__Output>
  UpdateOrganizationMember: MethodDefinition<_sluice_v1_UpdateOrganizationMemberRequest, _sluice_v1_OrganizationMember, _sluice_v1_UpdateOrganizationMemberRequest__Output, _sluice_v1_OrganizationMember__Output>
}
