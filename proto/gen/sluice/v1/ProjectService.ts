// From proto/sluice/v1/projects.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateProjectRequest as _sluice_v1_CreateProjectRequest, CreateProjectRequest__Output as _sluice_v1_CreateProjectRequest__Output } from '../../sluice/v1/CreateProjectRequest.ts';
import type { DeleteProjectRequest as _sluice_v1_DeleteProjectRequest, DeleteProjectRequest__Output as _sluice_v1_DeleteProjectRequest__Output } from '../../sluice/v1/DeleteProjectRequest.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetProjectRequest as _sluice_v1_GetProjectRequest, GetProjectRequest__Output as _sluice_v1_GetProjectRequest__Output } from '../../sluice/v1/GetProjectRequest.ts';
import type { ListProjectsRequest as _sluice_v1_ListProjectsRequest, ListProjectsRequest__Output as _sluice_v1_ListProjectsRequest__Output } from '../../sluice/v1/ListProjectsRequest.ts';
import type { ListProjectsResponse as _sluice_v1_ListProjectsResponse, ListProjectsResponse__Output as _sluice_v1_ListProjectsResponse__Output } from '../../sluice/v1/ListProjectsResponse.ts';
import type { Project as _sluice_v1_Project, Project__Output as _sluice_v1_Project__Output } from '../../sluice/v1/Project.ts';
import type { ResetProjectTokenRequest as _sluice_v1_ResetProjectTokenRequest, ResetProjectTokenRequest__Output as _sluice_v1_ResetProjectTokenRequest__Output } from '../../sluice/v1/ResetProjectTokenRequest.ts';
import type { UpdateProjectRequest as _sluice_v1_UpdateProjectRequest, UpdateProjectRequest__Output as _sluice_v1_UpdateProjectRequest__Output } from '../../sluice/v1/UpdateProjectRequest.ts';

export interface ProjectServiceClient extends grpc.Client {
  CreateProject(argument: _sluice_v1_CreateProjectRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  CreateProject(argument: _sluice_v1_CreateProjectRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  CreateProject(argument: _sluice_v1_CreateProjectRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  CreateProject(argument: _sluice_v1_CreateProjectRequest, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  createProject(argument: _sluice_v1_CreateProjectRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  createProject(argument: _sluice_v1_CreateProjectRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  createProject(argument: _sluice_v1_CreateProjectRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  createProject(argument: _sluice_v1_CreateProjectRequest, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  
  DeleteProject(argument: _sluice_v1_DeleteProjectRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteProject(argument: _sluice_v1_DeleteProjectRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteProject(argument: _sluice_v1_DeleteProjectRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteProject(argument: _sluice_v1_DeleteProjectRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteProject(argument: _sluice_v1_DeleteProjectRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteProject(argument: _sluice_v1_DeleteProjectRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteProject(argument: _sluice_v1_DeleteProjectRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteProject(argument: _sluice_v1_DeleteProjectRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  GetProject(argument: _sluice_v1_GetProjectRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  GetProject(argument: _sluice_v1_GetProjectRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  GetProject(argument: _sluice_v1_GetProjectRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  GetProject(argument: _sluice_v1_GetProjectRequest, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  getProject(argument: _sluice_v1_GetProjectRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  getProject(argument: _sluice_v1_GetProjectRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  getProject(argument: _sluice_v1_GetProjectRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  getProject(argument: _sluice_v1_GetProjectRequest, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  
  ListProjects(argument: _sluice_v1_ListProjectsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListProjectsResponse__Output>): grpc.ClientUnaryCall;
  ListProjects(argument: _sluice_v1_ListProjectsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListProjectsResponse__Output>): grpc.ClientUnaryCall;
  ListProjects(argument: _sluice_v1_ListProjectsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListProjectsResponse__Output>): grpc.ClientUnaryCall;
  ListProjects(argument: _sluice_v1_ListProjectsRequest, callback: grpc.requestCallback<_sluice_v1_ListProjectsResponse__Output>): grpc.ClientUnaryCall;
  listProjects(argument: _sluice_v1_ListProjectsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListProjectsResponse__Output>): grpc.ClientUnaryCall;
  listProjects(argument: _sluice_v1_ListProjectsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListProjectsResponse__Output>): grpc.ClientUnaryCall;
  listProjects(argument: _sluice_v1_ListProjectsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListProjectsResponse__Output>): grpc.ClientUnaryCall;
  listProjects(argument: _sluice_v1_ListProjectsRequest, callback: grpc.requestCallback<_sluice_v1_ListProjectsResponse__Output>): grpc.ClientUnaryCall;
  
  ResetProjectToken(argument: _sluice_v1_ResetProjectTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  ResetProjectToken(argument: _sluice_v1_ResetProjectTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  ResetProjectToken(argument: _sluice_v1_ResetProjectTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  ResetProjectToken(argument: _sluice_v1_ResetProjectTokenRequest, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  resetProjectToken(argument: _sluice_v1_ResetProjectTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  resetProjectToken(argument: _sluice_v1_ResetProjectTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  resetProjectToken(argument: _sluice_v1_ResetProjectTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  resetProjectToken(argument: _sluice_v1_ResetProjectTokenRequest, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  
  UpdateProject(argument: _sluice_v1_UpdateProjectRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  UpdateProject(argument: _sluice_v1_UpdateProjectRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  UpdateProject(argument: _sluice_v1_UpdateProjectRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  UpdateProject(argument: _sluice_v1_UpdateProjectRequest, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  updateProject(argument: _sluice_v1_UpdateProjectRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  updateProject(argument: _sluice_v1_UpdateProjectRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  updateProject(argument: _sluice_v1_UpdateProjectRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  updateProject(argument: _sluice_v1_UpdateProjectRequest, callback: grpc.requestCallback<_sluice_v1_Project__Output>): grpc.ClientUnaryCall;
  
}

export interface ProjectServiceHandlers extends grpc.UntypedServiceImplementation {
  CreateProject: grpc.handleUnaryCall<_sluice_v1_CreateProjectRequest__Output, _sluice_v1_Project>;
  
  DeleteProject: grpc.handleUnaryCall<_sluice_v1_DeleteProjectRequest__Output, _google_protobuf_Empty>;
  
  GetProject: grpc.handleUnaryCall<_sluice_v1_GetProjectRequest__Output, _sluice_v1_Project>;
  
  ListProjects: grpc.handleUnaryCall<_sluice_v1_ListProjectsRequest__Output, _sluice_v1_ListProjectsResponse>;
  
  ResetProjectToken: grpc.handleUnaryCall<_sluice_v1_ResetProjectTokenRequest__Output, _sluice_v1_Project>;
  
  UpdateProject: grpc.handleUnaryCall<_sluice_v1_UpdateProjectRequest__Output, _sluice_v1_Project>;
  
}

export interface ProjectServiceDefinition extends grpc.ServiceDefinition {
  CreateProject: MethodDefinition<_sluice_v1_CreateProjectRequest, _sluice_v1_Project, _sluice_v1_CreateProjectRequest__Output, _sluice_v1_Project__Output>
  DeleteProject: MethodDefinition<_sluice_v1_DeleteProjectRequest, _google_protobuf_Empty, _sluice_v1_DeleteProjectRequest__Output, _google_protobuf_Empty__Output>
  GetProject: MethodDefinition<_sluice_v1_GetProjectRequest, _sluice_v1_Project, _sluice_v1_GetProjectRequest__Output, _sluice_v1_Project__Output>
  ListProjects: MethodDefinition<_sluice_v1_ListProjectsRequest, _sluice_v1_ListProjectsResponse, _sluice_v1_ListProjectsRequest__Output, _sluice_v1_ListProjectsResponse__Output>
  ResetProjectToken: MethodDefinition<_sluice_v1_ResetProjectTokenRequest, _sluice_v1_Project, _sluice_v1_ResetProjectTokenRequest__Output, _sluice_v1_Project__Output>
  UpdateProject: MethodDefinition<_sluice_v1_UpdateProjectRequest, _sluice_v1_Project, _sluice_v1_UpdateProjectRequest__Output, _sluice_v1_Project__Output>
}
