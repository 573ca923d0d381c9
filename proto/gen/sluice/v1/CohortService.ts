// From proto/sluice/v1/cohorts.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Cohort as _sluice_v1_Cohort, Cohort__Output as _sluice_v1_Cohort__Output } from '../../sluice/v1/Cohort.ts';
import type { CohortCount as _sluice_v1_CohortCount, CohortCount__Output as _sluice_v1_CohortCount__Output } from '../../sluice/v1/CohortCount.ts';
import type { CohortUses as _sluice_v1_CohortUses, CohortUses__Output as _sluice_v1_CohortUses__Output } from '../../sluice/v1/CohortUses.ts';
import type { CountCohortRequest as _sluice_v1_CountCohortRequest, CountCohortRequest__Output as _sluice_v1_CountCohortRequest__Output } from '../../sluice/v1/CountCohortRequest.ts';
import type { CreateCohortRequest as _sluice_v1_CreateCohortRequest, CreateCohortRequest__Output as _sluice_v1_CreateCohortRequest__Output } from '../../sluice/v1/CreateCohortRequest.ts';
import type { DeleteCohortRequest as _sluice_v1_DeleteCohortRequest, DeleteCohortRequest__Output as _sluice_v1_DeleteCohortRequest__Output } from '../../sluice/v1/DeleteCohortRequest.ts';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../../google/protobuf/Empty.ts';
import type { GetCohortRequest as _sluice_v1_GetCohortRequest, GetCohortRequest__Output as _sluice_v1_GetCohortRequest__Output } from '../../sluice/v1/GetCohortRequest.ts';
import type { ListCohortPersonsRequest as _sluice_v1_ListCohortPersonsRequest, ListCohortPersonsRequest__Output as _sluice_v1_ListCohortPersonsRequest__Output } from '../../sluice/v1/ListCohortPersonsRequest.ts';
import type { ListCohortUsesRequest as _sluice_v1_ListCohortUsesRequest, ListCohortUsesRequest__Output as _sluice_v1_ListCohortUsesRequest__Output } from '../../sluice/v1/ListCohortUsesRequest.ts';
import type { ListCohortsRequest as _sluice_v1_ListCohortsRequest, ListCohortsRequest__Output as _sluice_v1_ListCohortsRequest__Output } from '../../sluice/v1/ListCohortsRequest.ts';
import type { ListCohortsResponse as _sluice_v1_ListCohortsResponse, ListCohortsResponse__Output as _sluice_v1_ListCohortsResponse__Output } from '../../sluice/v1/ListCohortsResponse.ts';
import type { ListPersonCohortsRequest as _sluice_v1_ListPersonCohortsRequest, ListPersonCohortsRequest__Output as _sluice_v1_ListPersonCohortsRequest__Output } from '../../sluice/v1/ListPersonCohortsRequest.ts';
import type { ListPersonCohortsResponse as _sluice_v1_ListPersonCohortsResponse, ListPersonCohortsResponse__Output as _sluice_v1_ListPersonCohortsResponse__Output } from '../../sluice/v1/ListPersonCohortsResponse.ts';
import type { ListPersonsResponse as _sluice_v1_ListPersonsResponse, ListPersonsResponse__Output as _sluice_v1_ListPersonsResponse__Output } from '../../sluice/v1/ListPersonsResponse.ts';
import type { UpdateCohortRequest as _sluice_v1_UpdateCohortRequest, UpdateCohortRequest__Output as _sluice_v1_UpdateCohortRequest__Output } from '../../sluice/v1/UpdateCohortRequest.ts';

export interface CohortServiceClient extends grpc.Client {
  CountCohort(argument: _sluice_v1_CountCohortRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CohortCount__Output>): grpc.ClientUnaryCall;
  CountCohort(argument: _sluice_v1_CountCohortRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CohortCount__Output>): grpc.ClientUnaryCall;
  CountCohort(argument: _sluice_v1_CountCohortRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CohortCount__Output>): grpc.ClientUnaryCall;
  CountCohort(argument: _sluice_v1_CountCohortRequest, callback: grpc.requestCallback<_sluice_v1_CohortCount__Output>): grpc.ClientUnaryCall;
  countCohort(argument: _sluice_v1_CountCohortRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CohortCount__Output>): grpc.ClientUnaryCall;
  countCohort(argument: _sluice_v1_CountCohortRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CohortCount__Output>): grpc.ClientUnaryCall;
  countCohort(argument: _sluice_v1_CountCohortRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CohortCount__Output>): grpc.ClientUnaryCall;
  countCohort(argument: _sluice_v1_CountCohortRequest, callback: grpc.requestCallback<_sluice_v1_CohortCount__Output>): grpc.ClientUnaryCall;
  
  CreateCohort(argument: _sluice_v1_CreateCohortRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  CreateCohort(argument: _sluice_v1_CreateCohortRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  CreateCohort(argument: _sluice_v1_CreateCohortRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  CreateCohort(argument: _sluice_v1_CreateCohortRequest, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  createCohort(argument: _sluice_v1_CreateCohortRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  createCohort(argument: _sluice_v1_CreateCohortRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  createCohort(argument: _sluice_v1_CreateCohortRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  createCohort(argument: _sluice_v1_CreateCohortRequest, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  
  DeleteCohort(argument: _sluice_v1_DeleteCohortRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteCohort(argument: _sluice_v1_DeleteCohortRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteCohort(argument: _sluice_v1_DeleteCohortRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  DeleteCohort(argument: _sluice_v1_DeleteCohortRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteCohort(argument: _sluice_v1_DeleteCohortRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteCohort(argument: _sluice_v1_DeleteCohortRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteCohort(argument: _sluice_v1_DeleteCohortRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  deleteCohort(argument: _sluice_v1_DeleteCohortRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  GetCohort(argument: _sluice_v1_GetCohortRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  GetCohort(argument: _sluice_v1_GetCohortRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  GetCohort(argument: _sluice_v1_GetCohortRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  GetCohort(argument: _sluice_v1_GetCohortRequest, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  getCohort(argument: _sluice_v1_GetCohortRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  getCohort(argument: _sluice_v1_GetCohortRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  getCohort(argument: _sluice_v1_GetCohortRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  getCohort(argument: _sluice_v1_GetCohortRequest, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  
  ListCohortPersons(argument: _sluice_v1_ListCohortPersonsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  ListCohortPersons(argument: _sluice_v1_ListCohortPersonsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  ListCohortPersons(argument: _sluice_v1_ListCohortPersonsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  ListCohortPersons(argument: _sluice_v1_ListCohortPersonsRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  listCohortPersons(argument: _sluice_v1_ListCohortPersonsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  listCohortPersons(argument: _sluice_v1_ListCohortPersonsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  listCohortPersons(argument: _sluice_v1_ListCohortPersonsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  listCohortPersons(argument: _sluice_v1_ListCohortPersonsRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonsResponse__Output>): grpc.ClientUnaryCall;
  
  ListCohortUses(argument: _sluice_v1_ListCohortUsesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CohortUses__Output>): grpc.ClientUnaryCall;
  ListCohortUses(argument: _sluice_v1_ListCohortUsesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CohortUses__Output>): grpc.ClientUnaryCall;
  ListCohortUses(argument: _sluice_v1_ListCohortUsesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CohortUses__Output>): grpc.ClientUnaryCall;
  ListCohortUses(argument: _sluice_v1_ListCohortUsesRequest, callback: grpc.requestCallback<_sluice_v1_CohortUses__Output>): grpc.ClientUnaryCall;
  listCohortUses(argument: _sluice_v1_ListCohortUsesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CohortUses__Output>): grpc.ClientUnaryCall;
  listCohortUses(argument: _sluice_v1_ListCohortUsesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CohortUses__Output>): grpc.ClientUnaryCall;
  listCohortUses(argument: _sluice_v1_ListCohortUsesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CohortUses__Output>): grpc.ClientUnaryCall;
  listCohortUses(argument: _sluice_v1_ListCohortUsesRequest, callback: grpc.requestCallback<_sluice_v1_CohortUses__Output>): grpc.ClientUnaryCall;
  
  ListCohorts(argument: _sluice_v1_ListCohortsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListCohortsResponse__Output>): grpc.ClientUnaryCall;
  ListCohorts(argument: _sluice_v1_ListCohortsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListCohortsResponse__Output>): grpc.ClientUnaryCall;
  ListCohorts(argument: _sluice_v1_ListCohortsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListCohortsResponse__Output>): grpc.ClientUnaryCall;
  ListCohorts(argument: _sluice_v1_ListCohortsRequest, callback: grpc.requestCallback<_sluice_v1_ListCohortsResponse__Output>): grpc.ClientUnaryCall;
  listCohorts(argument: _sluice_v1_ListCohortsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListCohortsResponse__Output>): grpc.ClientUnaryCall;
  listCohorts(argument: _sluice_v1_ListCohortsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListCohortsResponse__Output>): grpc.ClientUnaryCall;
  listCohorts(argument: _sluice_v1_ListCohortsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListCohortsResponse__Output>): grpc.ClientUnaryCall;
  listCohorts(argument: _sluice_v1_ListCohortsRequest, callback: grpc.requestCallback<_sluice_v1_ListCohortsResponse__Output>): grpc.ClientUnaryCall;
  
  ListPersonCohorts(argument: _sluice_v1_ListPersonCohortsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonCohortsResponse__Output>): grpc.ClientUnaryCall;
  ListPersonCohorts(argument: _sluice_v1_ListPersonCohortsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonCohortsResponse__Output>): grpc.ClientUnaryCall;
  ListPersonCohorts(argument: _sluice_v1_ListPersonCohortsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonCohortsResponse__Output>): grpc.ClientUnaryCall;
  ListPersonCohorts(argument: _sluice_v1_ListPersonCohortsRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonCohortsResponse__Output>): grpc.ClientUnaryCall;
  listPersonCohorts(argument: _sluice_v1_ListPersonCohortsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonCohortsResponse__Output>): grpc.ClientUnaryCall;
  listPersonCohorts(argument: _sluice_v1_ListPersonCohortsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListPersonCohortsResponse__Output>): grpc.ClientUnaryCall;
  listPersonCohorts(argument: _sluice_v1_ListPersonCohortsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListPersonCohortsResponse__Output>): grpc.ClientUnaryCall;
  listPersonCohorts(argument: _sluice_v1_ListPersonCohortsRequest, callback: grpc.requestCallback<_sluice_v1_ListPersonCohortsResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateCohort(argument: _sluice_v1_UpdateCohortRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  UpdateCohort(argument: _sluice_v1_UpdateCohortRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  UpdateCohort(argument: _sluice_v1_UpdateCohortRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  UpdateCohort(argument: _sluice_v1_UpdateCohortRequest, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  updateCohort(argument: _sluice_v1_UpdateCohortRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  updateCohort(argument: _sluice_v1_UpdateCohortRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  updateCohort(argument: _sluice_v1_UpdateCohortRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  updateCohort(argument: _sluice_v1_UpdateCohortRequest, callback: grpc.requestCallback<_sluice_v1_Cohort__Output>): grpc.ClientUnaryCall;
  
}

export interface CohortServiceHandlers extends grpc.UntypedServiceImplementation {
  CountCohort: grpc.handleUnaryCall<_sluice_v1_CountCohortRequest__Output, _sluice_v1_CohortCount>;
  
  CreateCohort: grpc.handleUnaryCall<_sluice_v1_CreateCohortRequest__Output, _sluice_v1_Cohort>;
  
  DeleteCohort: grpc.handleUnaryCall<_sluice_v1_DeleteCohortRequest__Output, _google_protobuf_Empty>;
  
  GetCohort: grpc.handleUnaryCall<_sluice_v1_GetCohortRequest__Output, _sluice_v1_Cohort>;
  
  ListCohortPersons: grpc.handleUnaryCall<_sluice_v1_ListCohortPersonsRequest__Output, _sluice_v1_ListPersonsResponse>;
  
  ListCohortUses: grpc.handleUnaryCall<_sluice_v1_ListCohortUsesRequest__Output, _sluice_v1_CohortUses>;
  
  ListCohorts: grpc.handleUnaryCall<_sluice_v1_ListCohortsRequest__Output, _sluice_v1_ListCohortsResponse>;
  
  ListPersonCohorts: grpc.handleUnaryCall<_sluice_v1_ListPersonCohortsRequest__Output, _sluice_v1_ListPersonCohortsResponse>;
  
  UpdateCohort: grpc.handleUnaryCall<_sluice_v1_UpdateCohortRequest__Output, _sluice_v1_Cohort>;
  
}

export interface CohortServiceDefinition extends grpc.ServiceDefinition {
  CountCohort: MethodDefinition<_sluice_v1_CountCohortRequest, _sluice_v1_CohortCount, _sluice_v1_CountCohortRequest__Output, _sluice_v1_CohortCount__Output>
  CreateCohort: MethodDefinition<_sluice_v1_CreateCohortRequest, _sluice_v1_Cohort, _sluice_v1_CreateCohortRequest__Output, _sluice_v1_Cohort__Output>
  DeleteCohort: MethodDefinition<_sluice_v1_DeleteCohortRequest, _google_protobuf_Empty, _sluice_v1_DeleteCohortRequest__Output, _google_protobuf_Empty__Output>
  GetCohort: MethodDefinition<_sluice_v1_GetCohortRequest, _sluice_v1_Cohort, _sluice_v1_GetCohortRequest__Output, _sluice_v1_Cohort__Output>
  ListCohortPersons: MethodDefinition<_sluice_v1_ListCohortPersonsRequest, _sluice_v1_ListPersonsResponse, _sluice_v1_ListCohortPersonsRequest__Output, _sluice_v1_ListPersonsResponse__Output>
  ListCohortUses: MethodDefinition<_sluice_v1_ListCohortUsesRequest, _sluice_v1_CohortUses, _sluice_v1_ListCohortUsesRequest__Output, _sluice_v1_CohortUses__Output>
  ListCohorts: MethodDefinition<_sluice_v1_ListCohortsRequest, _sluice_v1_ListCohortsResponse, _sluice_v1_ListCohortsRequest__Output, _sluice_v1_ListCohortsResponse__Output>
  ListPersonCohorts: MethodDefinition<_sluice_v1_ListPersonCohortsRequest, _sluice_v1_ListPersonCohortsResponse, _sluice_v1_ListPersonCohortsRequest__Output, _sluice_v1_ListPersonCohortsResponse__Output>
  UpdateCohort: MethodDefinition<_sluice_v1_UpdateCohortRequest, _sluice_v1_Cohort, _sluice_v1_UpdateCohortRequest__Output, _sluice_v1_Cohort__Output>
}
