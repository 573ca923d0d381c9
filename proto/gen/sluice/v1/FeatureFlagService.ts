// From proto/sluice/v1/feature_flags.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ChangeFeatureFlagsRequest as _sluice_v1_ChangeFeatureFlagsRequest, ChangeFeatureFlagsRequest__Output as _sluice_v1_ChangeFeatureFlagsRequest__Output } from '../../sluice/v1/ChangeFeatureFlagsRequest.ts';
import type { ChangeFeatureFlagsResponse as _sluice_v1_ChangeFeatureFlagsResponse, ChangeFeatureFlagsResponse__Output as _sluice_v1_ChangeFeatureFlagsResponse__Output } from '../../sluice/v1/ChangeFeatureFlagsResponse.ts';
import type { CreateFeatureFlagRequest as _sluice_v1_CreateFeatureFlagRequest, CreateFeatureFlagRequest__Output as _sluice_v1_CreateFeatureFlagRequest__Output } from '../../sluice/v1/CreateFeatureFlagRequest.ts';
import type { EvaluateFlagsRequest as _sluice_v1_EvaluateFlagsRequest, EvaluateFlagsRequest__Output as _sluice_v1_EvaluateFlagsRequest__Output } from '../../sluice/v1/EvaluateFlagsRequest.ts';
import type { EvaluateFlagsResponse as _sluice_v1_EvaluateFlagsResponse, EvaluateFlagsResponse__Output as _sluice_v1_EvaluateFlagsResponse__Output } from '../../sluice/v1/EvaluateFlagsResponse.ts';
import type { FeatureFlag as _sluice_v1_FeatureFlag, FeatureFlag__Output as _sluice_v1_FeatureFlag__Output } from '../../sluice/v1/FeatureFlag.ts';
import type { FlagDependencies as _sluice_v1_FlagDependencies, FlagDependencies__Output as _sluice_v1_FlagDependencies__Output } from '../../sluice/v1/FlagDependencies.ts';
import type { FlagReach as _sluice_v1_FlagReach, FlagReach__Output as _sluice_v1_FlagReach__Output } from '../../sluice/v1/FlagReach.ts';
import type { FlagUsage as _sluice_v1_FlagUsage, FlagUsage__Output as _sluice_v1_FlagUsage__Output } from '../../sluice/v1/FlagUsage.ts';
import type { GetFeatureFlagRequest as _sluice_v1_GetFeatureFlagRequest, GetFeatureFlagRequest__Output as _sluice_v1_GetFeatureFlagRequest__Output } from '../../sluice/v1/GetFeatureFlagRequest.ts';
import type { GetFlagDefinitionsRequest as _sluice_v1_GetFlagDefinitionsRequest, GetFlagDefinitionsRequest__Output as _sluice_v1_GetFlagDefinitionsRequest__Output } from '../../sluice/v1/GetFlagDefinitionsRequest.ts';
import type { GetFlagDefinitionsResponse as _sluice_v1_GetFlagDefinitionsResponse, GetFlagDefinitionsResponse__Output as _sluice_v1_GetFlagDefinitionsResponse__Output } from '../../sluice/v1/GetFlagDefinitionsResponse.ts';
import type { GetFlagDependenciesRequest as _sluice_v1_GetFlagDependenciesRequest, GetFlagDependenciesRequest__Output as _sluice_v1_GetFlagDependenciesRequest__Output } from '../../sluice/v1/GetFlagDependenciesRequest.ts';
import type { GetFlagReachRequest as _sluice_v1_GetFlagReachRequest, GetFlagReachRequest__Output as _sluice_v1_GetFlagReachRequest__Output } from '../../sluice/v1/GetFlagReachRequest.ts';
import type { GetFlagUsageRequest as _sluice_v1_GetFlagUsageRequest, GetFlagUsageRequest__Output as _sluice_v1_GetFlagUsageRequest__Output } from '../../sluice/v1/GetFlagUsageRequest.ts';
import type { GetLocalEvaluationByTokenRequest as _sluice_v1_GetLocalEvaluationByTokenRequest, GetLocalEvaluationByTokenRequest__Output as _sluice_v1_GetLocalEvaluationByTokenRequest__Output } from '../../sluice/v1/GetLocalEvaluationByTokenRequest.ts';
import type { GetLocalEvaluationRequest as _sluice_v1_GetLocalEvaluationRequest, GetLocalEvaluationRequest__Output as _sluice_v1_GetLocalEvaluationRequest__Output } from '../../sluice/v1/GetLocalEvaluationRequest.ts';
import type { GetLocalEvaluationResponse as _sluice_v1_GetLocalEvaluationResponse, GetLocalEvaluationResponse__Output as _sluice_v1_GetLocalEvaluationResponse__Output } from '../../sluice/v1/GetLocalEvaluationResponse.ts';
import type { GetMyFlagsRequest as _sluice_v1_GetMyFlagsRequest, GetMyFlagsRequest__Output as _sluice_v1_GetMyFlagsRequest__Output } from '../../sluice/v1/GetMyFlagsRequest.ts';
import type { GetMyFlagsResponse as _sluice_v1_GetMyFlagsResponse, GetMyFlagsResponse__Output as _sluice_v1_GetMyFlagsResponse__Output } from '../../sluice/v1/GetMyFlagsResponse.ts';
import type { GetPropagationRequest as _sluice_v1_GetPropagationRequest, GetPropagationRequest__Output as _sluice_v1_GetPropagationRequest__Output } from '../../sluice/v1/GetPropagationRequest.ts';
import type { GetRemoteConfigRequest as _sluice_v1_GetRemoteConfigRequest, GetRemoteConfigRequest__Output as _sluice_v1_GetRemoteConfigRequest__Output } from '../../sluice/v1/GetRemoteConfigRequest.ts';
import type { ListActivityResponse as _sluice_v1_ListActivityResponse, ListActivityResponse__Output as _sluice_v1_ListActivityResponse__Output } from '../../sluice/v1/ListActivityResponse.ts';
import type { ListFeatureFlagActivityRequest as _sluice_v1_ListFeatureFlagActivityRequest, ListFeatureFlagActivityRequest__Output as _sluice_v1_ListFeatureFlagActivityRequest__Output } from '../../sluice/v1/ListFeatureFlagActivityRequest.ts';
import type { ListFeatureFlagsByTokenRequest as _sluice_v1_ListFeatureFlagsByTokenRequest, ListFeatureFlagsByTokenRequest__Output as _sluice_v1_ListFeatureFlagsByTokenRequest__Output } from '../../sluice/v1/ListFeatureFlagsByTokenRequest.ts';
import type { ListFeatureFlagsRequest as _sluice_v1_ListFeatureFlagsRequest, ListFeatureFlagsRequest__Output as _sluice_v1_ListFeatureFlagsRequest__Output } from '../../sluice/v1/ListFeatureFlagsRequest.ts';
import type { ListFeatureFlagsResponse as _sluice_v1_ListFeatureFlagsResponse, ListFeatureFlagsResponse__Output as _sluice_v1_ListFeatureFlagsResponse__Output } from '../../sluice/v1/ListFeatureFlagsResponse.ts';
import type { ListFlagUsageRequest as _sluice_v1_ListFlagUsageRequest, ListFlagUsageRequest__Output as _sluice_v1_ListFlagUsageRequest__Output } from '../../sluice/v1/ListFlagUsageRequest.ts';
import type { ListFlagUsageResponse as _sluice_v1_ListFlagUsageResponse, ListFlagUsageResponse__Output as _sluice_v1_ListFlagUsageResponse__Output } from '../../sluice/v1/ListFlagUsageResponse.ts';
import type { Propagation as _sluice_v1_Propagation, Propagation__Output as _sluice_v1_Propagation__Output } from '../../sluice/v1/Propagation.ts';
import type { RemoteConfig as _sluice_v1_RemoteConfig, RemoteConfig__Output as _sluice_v1_RemoteConfig__Output } from '../../sluice/v1/RemoteConfig.ts';
import type { RollbackFeatureFlagRequest as _sluice_v1_RollbackFeatureFlagRequest, RollbackFeatureFlagRequest__Output as _sluice_v1_RollbackFeatureFlagRequest__Output } from '../../sluice/v1/RollbackFeatureFlagRequest.ts';
import type { UpdateFeatureFlagRequest as _sluice_v1_UpdateFeatureFlagRequest, UpdateFeatureFlagRequest__Output as _sluice_v1_UpdateFeatureFlagRequest__Output } from '../../sluice/v1/UpdateFeatureFlagRequest.ts';

export interface FeatureFlagServiceClient extends grpc.Client {
  ChangeFeatureFlags(argument: _sluice_v1_ChangeFeatureFlagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ChangeFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ChangeFeatureFlags(argument: _sluice_v1_ChangeFeatureFlagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ChangeFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ChangeFeatureFlags(argument: _sluice_v1_ChangeFeatureFlagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ChangeFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ChangeFeatureFlags(argument: _sluice_v1_ChangeFeatureFlagsRequest, callback: grpc.requestCallback<_sluice_v1_ChangeFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  changeFeatureFlags(argument: _sluice_v1_ChangeFeatureFlagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ChangeFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  changeFeatureFlags(argument: _sluice_v1_ChangeFeatureFlagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ChangeFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  changeFeatureFlags(argument: _sluice_v1_ChangeFeatureFlagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ChangeFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  changeFeatureFlags(argument: _sluice_v1_ChangeFeatureFlagsRequest, callback: grpc.requestCallback<_sluice_v1_ChangeFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  
  CreateFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  CreateFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  CreateFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  CreateFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  createFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  createFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  createFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  createFeatureFlag(argument: _sluice_v1_CreateFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  
  EvaluateFlags(argument: _sluice_v1_EvaluateFlagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EvaluateFlagsResponse__Output>): grpc.ClientUnaryCall;
  EvaluateFlags(argument: _sluice_v1_EvaluateFlagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_EvaluateFlagsResponse__Output>): grpc.ClientUnaryCall;
  EvaluateFlags(argument: _sluice_v1_EvaluateFlagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EvaluateFlagsResponse__Output>): grpc.ClientUnaryCall;
  EvaluateFlags(argument: _sluice_v1_EvaluateFlagsRequest, callback: grpc.requestCallback<_sluice_v1_EvaluateFlagsResponse__Output>): grpc.ClientUnaryCall;
  evaluateFlags(argument: _sluice_v1_EvaluateFlagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EvaluateFlagsResponse__Output>): grpc.ClientUnaryCall;
  evaluateFlags(argument: _sluice_v1_EvaluateFlagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_EvaluateFlagsResponse__Output>): grpc.ClientUnaryCall;
  evaluateFlags(argument: _sluice_v1_EvaluateFlagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_EvaluateFlagsResponse__Output>): grpc.ClientUnaryCall;
  evaluateFlags(argument: _sluice_v1_EvaluateFlagsRequest, callback: grpc.requestCallback<_sluice_v1_EvaluateFlagsResponse__Output>): grpc.ClientUnaryCall;
  
  GetFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  GetFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  GetFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  GetFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  getFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  getFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  getFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  getFeatureFlag(argument: _sluice_v1_GetFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  
  GetFlagDefinitions(argument: _sluice_v1_GetFlagDefinitionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetFlagDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  GetFlagDefinitions(argument: _sluice_v1_GetFlagDefinitionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetFlagDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  GetFlagDefinitions(argument: _sluice_v1_GetFlagDefinitionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetFlagDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  GetFlagDefinitions(argument: _sluice_v1_GetFlagDefinitionsRequest, callback: grpc.requestCallback<_sluice_v1_GetFlagDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  getFlagDefinitions(argument: _sluice_v1_GetFlagDefinitionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetFlagDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  getFlagDefinitions(argument: _sluice_v1_GetFlagDefinitionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetFlagDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  getFlagDefinitions(argument: _sluice_v1_GetFlagDefinitionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetFlagDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  getFlagDefinitions(argument: _sluice_v1_GetFlagDefinitionsRequest, callback: grpc.requestCallback<_sluice_v1_GetFlagDefinitionsResponse__Output>): grpc.ClientUnaryCall;
  
  GetFlagDependencies(argument: _sluice_v1_GetFlagDependenciesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagDependencies__Output>): grpc.ClientUnaryCall;
  GetFlagDependencies(argument: _sluice_v1_GetFlagDependenciesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FlagDependencies__Output>): grpc.ClientUnaryCall;
  GetFlagDependencies(argument: _sluice_v1_GetFlagDependenciesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagDependencies__Output>): grpc.ClientUnaryCall;
  GetFlagDependencies(argument: _sluice_v1_GetFlagDependenciesRequest, callback: grpc.requestCallback<_sluice_v1_FlagDependencies__Output>): grpc.ClientUnaryCall;
  getFlagDependencies(argument: _sluice_v1_GetFlagDependenciesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagDependencies__Output>): grpc.ClientUnaryCall;
  getFlagDependencies(argument: _sluice_v1_GetFlagDependenciesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FlagDependencies__Output>): grpc.ClientUnaryCall;
  getFlagDependencies(argument: _sluice_v1_GetFlagDependenciesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagDependencies__Output>): grpc.ClientUnaryCall;
  getFlagDependencies(argument: _sluice_v1_GetFlagDependenciesRequest, callback: grpc.requestCallback<_sluice_v1_FlagDependencies__Output>): grpc.ClientUnaryCall;
  
  GetFlagReach(argument: _sluice_v1_GetFlagReachRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagReach__Output>): grpc.ClientUnaryCall;
  GetFlagReach(argument: _sluice_v1_GetFlagReachRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FlagReach__Output>): grpc.ClientUnaryCall;
  GetFlagReach(argument: _sluice_v1_GetFlagReachRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagReach__Output>): grpc.ClientUnaryCall;
  GetFlagReach(argument: _sluice_v1_GetFlagReachRequest, callback: grpc.requestCallback<_sluice_v1_FlagReach__Output>): grpc.ClientUnaryCall;
  getFlagReach(argument: _sluice_v1_GetFlagReachRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagReach__Output>): grpc.ClientUnaryCall;
  getFlagReach(argument: _sluice_v1_GetFlagReachRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FlagReach__Output>): grpc.ClientUnaryCall;
  getFlagReach(argument: _sluice_v1_GetFlagReachRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagReach__Output>): grpc.ClientUnaryCall;
  getFlagReach(argument: _sluice_v1_GetFlagReachRequest, callback: grpc.requestCallback<_sluice_v1_FlagReach__Output>): grpc.ClientUnaryCall;
  
  GetFlagUsage(argument: _sluice_v1_GetFlagUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagUsage__Output>): grpc.ClientUnaryCall;
  GetFlagUsage(argument: _sluice_v1_GetFlagUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FlagUsage__Output>): grpc.ClientUnaryCall;
  GetFlagUsage(argument: _sluice_v1_GetFlagUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagUsage__Output>): grpc.ClientUnaryCall;
  GetFlagUsage(argument: _sluice_v1_GetFlagUsageRequest, callback: grpc.requestCallback<_sluice_v1_FlagUsage__Output>): grpc.ClientUnaryCall;
  getFlagUsage(argument: _sluice_v1_GetFlagUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagUsage__Output>): grpc.ClientUnaryCall;
  getFlagUsage(argument: _sluice_v1_GetFlagUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FlagUsage__Output>): grpc.ClientUnaryCall;
  getFlagUsage(argument: _sluice_v1_GetFlagUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FlagUsage__Output>): grpc.ClientUnaryCall;
  getFlagUsage(argument: _sluice_v1_GetFlagUsageRequest, callback: grpc.requestCallback<_sluice_v1_FlagUsage__Output>): grpc.ClientUnaryCall;
  
  GetLocalEvaluation(argument: _sluice_v1_GetLocalEvaluationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  GetLocalEvaluation(argument: _sluice_v1_GetLocalEvaluationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  GetLocalEvaluation(argument: _sluice_v1_GetLocalEvaluationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  GetLocalEvaluation(argument: _sluice_v1_GetLocalEvaluationRequest, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  getLocalEvaluation(argument: _sluice_v1_GetLocalEvaluationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  getLocalEvaluation(argument: _sluice_v1_GetLocalEvaluationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  getLocalEvaluation(argument: _sluice_v1_GetLocalEvaluationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  getLocalEvaluation(argument: _sluice_v1_GetLocalEvaluationRequest, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  
  GetLocalEvaluationByToken(argument: _sluice_v1_GetLocalEvaluationByTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  GetLocalEvaluationByToken(argument: _sluice_v1_GetLocalEvaluationByTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  GetLocalEvaluationByToken(argument: _sluice_v1_GetLocalEvaluationByTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  GetLocalEvaluationByToken(argument: _sluice_v1_GetLocalEvaluationByTokenRequest, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  getLocalEvaluationByToken(argument: _sluice_v1_GetLocalEvaluationByTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  getLocalEvaluationByToken(argument: _sluice_v1_GetLocalEvaluationByTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  getLocalEvaluationByToken(argument: _sluice_v1_GetLocalEvaluationByTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  getLocalEvaluationByToken(argument: _sluice_v1_GetLocalEvaluationByTokenRequest, callback: grpc.requestCallback<_sluice_v1_GetLocalEvaluationResponse__Output>): grpc.ClientUnaryCall;
  
  GetMyFlags(argument: _sluice_v1_GetMyFlagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetMyFlagsResponse__Output>): grpc.ClientUnaryCall;
  GetMyFlags(argument: _sluice_v1_GetMyFlagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetMyFlagsResponse__Output>): grpc.ClientUnaryCall;
  GetMyFlags(argument: _sluice_v1_GetMyFlagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetMyFlagsResponse__Output>): grpc.ClientUnaryCall;
  GetMyFlags(argument: _sluice_v1_GetMyFlagsRequest, callback: grpc.requestCallback<_sluice_v1_GetMyFlagsResponse__Output>): grpc.ClientUnaryCall;
  getMyFlags(argument: _sluice_v1_GetMyFlagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetMyFlagsResponse__Output>): grpc.ClientUnaryCall;
  getMyFlags(argument: _sluice_v1_GetMyFlagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_GetMyFlagsResponse__Output>): grpc.ClientUnaryCall;
  getMyFlags(argument: _sluice_v1_GetMyFlagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_GetMyFlagsResponse__Output>): grpc.ClientUnaryCall;
  getMyFlags(argument: _sluice_v1_GetMyFlagsRequest, callback: grpc.requestCallback<_sluice_v1_GetMyFlagsResponse__Output>): grpc.ClientUnaryCall;
  
  GetPropagation(argument: _sluice_v1_GetPropagationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Propagation__Output>): grpc.ClientUnaryCall;
  GetPropagation(argument: _sluice_v1_GetPropagationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Propagation__Output>): grpc.ClientUnaryCall;
  GetPropagation(argument: _sluice_v1_GetPropagationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Propagation__Output>): grpc.ClientUnaryCall;
  GetPropagation(argument: _sluice_v1_GetPropagationRequest, callback: grpc.requestCallback<_sluice_v1_Propagation__Output>): grpc.ClientUnaryCall;
  getPropagation(argument: _sluice_v1_GetPropagationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Propagation__Output>): grpc.ClientUnaryCall;
  getPropagation(argument: _sluice_v1_GetPropagationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_Propagation__Output>): grpc.ClientUnaryCall;
  getPropagation(argument: _sluice_v1_GetPropagationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_Propagation__Output>): grpc.ClientUnaryCall;
  getPropagation(argument: _sluice_v1_GetPropagationRequest, callback: grpc.requestCallback<_sluice_v1_Propagation__Output>): grpc.ClientUnaryCall;
  
  GetRemoteConfig(argument: _sluice_v1_GetRemoteConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RemoteConfig__Output>): grpc.ClientUnaryCall;
  GetRemoteConfig(argument: _sluice_v1_GetRemoteConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_RemoteConfig__Output>): grpc.ClientUnaryCall;
  GetRemoteConfig(argument: _sluice_v1_GetRemoteConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RemoteConfig__Output>): grpc.ClientUnaryCall;
  GetRemoteConfig(argument: _sluice_v1_GetRemoteConfigRequest, callback: grpc.requestCallback<_sluice_v1_RemoteConfig__Output>): grpc.ClientUnaryCall;
  getRemoteConfig(argument: _sluice_v1_GetRemoteConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RemoteConfig__Output>): grpc.ClientUnaryCall;
  getRemoteConfig(argument: _sluice_v1_GetRemoteConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_RemoteConfig__Output>): grpc.ClientUnaryCall;
  getRemoteConfig(argument: _sluice_v1_GetRemoteConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RemoteConfig__Output>): grpc.ClientUnaryCall;
  getRemoteConfig(argument: _sluice_v1_GetRemoteConfigRequest, callback: grpc.requestCallback<_sluice_v1_RemoteConfig__Output>): grpc.ClientUnaryCall;
  
  ListFeatureFlagActivity(argument: _sluice_v1_ListFeatureFlagActivityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlagActivity(argument: _sluice_v1_ListFeatureFlagActivityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlagActivity(argument: _sluice_v1_ListFeatureFlagActivityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlagActivity(argument: _sluice_v1_ListFeatureFlagActivityRequest, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlagActivity(argument: _sluice_v1_ListFeatureFlagActivityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlagActivity(argument: _sluice_v1_ListFeatureFlagActivityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlagActivity(argument: _sluice_v1_ListFeatureFlagActivityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlagActivity(argument: _sluice_v1_ListFeatureFlagActivityRequest, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  
  ListFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlags(argument: _sluice_v1_ListFeatureFlagsRequest, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  
  ListFeatureFlagsByToken(argument: _sluice_v1_ListFeatureFlagsByTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlagsByToken(argument: _sluice_v1_ListFeatureFlagsByTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlagsByToken(argument: _sluice_v1_ListFeatureFlagsByTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  ListFeatureFlagsByToken(argument: _sluice_v1_ListFeatureFlagsByTokenRequest, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlagsByToken(argument: _sluice_v1_ListFeatureFlagsByTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlagsByToken(argument: _sluice_v1_ListFeatureFlagsByTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlagsByToken(argument: _sluice_v1_ListFeatureFlagsByTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  listFeatureFlagsByToken(argument: _sluice_v1_ListFeatureFlagsByTokenRequest, callback: grpc.requestCallback<_sluice_v1_ListFeatureFlagsResponse__Output>): grpc.ClientUnaryCall;
  
  ListFlagUsage(argument: _sluice_v1_ListFlagUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFlagUsageResponse__Output>): grpc.ClientUnaryCall;
  ListFlagUsage(argument: _sluice_v1_ListFlagUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListFlagUsageResponse__Output>): grpc.ClientUnaryCall;
  ListFlagUsage(argument: _sluice_v1_ListFlagUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFlagUsageResponse__Output>): grpc.ClientUnaryCall;
  ListFlagUsage(argument: _sluice_v1_ListFlagUsageRequest, callback: grpc.requestCallback<_sluice_v1_ListFlagUsageResponse__Output>): grpc.ClientUnaryCall;
  listFlagUsage(argument: _sluice_v1_ListFlagUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFlagUsageResponse__Output>): grpc.ClientUnaryCall;
  listFlagUsage(argument: _sluice_v1_ListFlagUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListFlagUsageResponse__Output>): grpc.ClientUnaryCall;
  listFlagUsage(argument: _sluice_v1_ListFlagUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListFlagUsageResponse__Output>): grpc.ClientUnaryCall;
  listFlagUsage(argument: _sluice_v1_ListFlagUsageRequest, callback: grpc.requestCallback<_sluice_v1_ListFlagUsageResponse__Output>): grpc.ClientUnaryCall;
  
  RollbackFeatureFlag(argument: _sluice_v1_RollbackFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  RollbackFeatureFlag(argument: _sluice_v1_RollbackFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  RollbackFeatureFlag(argument: _sluice_v1_RollbackFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  RollbackFeatureFlag(argument: _sluice_v1_RollbackFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  rollbackFeatureFlag(argument: _sluice_v1_RollbackFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  rollbackFeatureFlag(argument: _sluice_v1_RollbackFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  rollbackFeatureFlag(argument: _sluice_v1_RollbackFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  rollbackFeatureFlag(argument: _sluice_v1_RollbackFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  
  UpdateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  UpdateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  UpdateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  UpdateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  updateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  updateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  updateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  updateFeatureFlag(argument: _sluice_v1_UpdateFeatureFlagRequest, callback: grpc.requestCallback<_sluice_v1_FeatureFlag__Output>): grpc.ClientUnaryCall;
  
}

export interface FeatureFlagServiceHandlers extends grpc.UntypedServiceImplementation {
  ChangeFeatureFlags: grpc.handleUnaryCall<_sluice_v1_ChangeFeatureFlagsRequest__Output, _sluice_v1_ChangeFeatureFlagsResponse>;
  
  CreateFeatureFlag: grpc.handleUnaryCall<_sluice_v1_CreateFeatureFlagRequest__Output, _sluice_v1_FeatureFlag>;
  
  EvaluateFlags: grpc.handleUnaryCall<_sluice_v1_EvaluateFlagsRequest__Output, _sluice_v1_EvaluateFlagsResponse>;
  
  GetFeatureFlag: grpc.handleUnaryCall<_sluice_v1_GetFeatureFlagRequest__Output, _sluice_v1_FeatureFlag>;
  
  GetFlagDefinitions: grpc.handleUnaryCall<_sluice_v1_GetFlagDefinitionsRequest__Output, _sluice_v1_GetFlagDefinitionsResponse>;
  
  GetFlagDependencies: grpc.handleUnaryCall<_sluice_v1_GetFlagDependenciesRequest__Output, _sluice_v1_FlagDependencies>;
  
  GetFlagReach: grpc.handleUnaryCall<_sluice_v1_GetFlagReachRequest__Output, _sluice_v1_FlagReach>;
  
  GetFlagUsage: grpc.handleUnaryCall<_sluice_v1_GetFlagUsageRequest__Output, _sluice_v1_FlagUsage>;
  
  GetLocalEvaluation: grpc.handleUnaryCall<_sluice_v1_GetLocalEvaluationRequest__Output, _sluice_v1_GetLocalEvaluationResponse>;
  
  GetLocalEvaluationByToken: grpc.handleUnaryCall<_sluice_v1_GetLocalEvaluationByTokenRequest__Output, _sluice_v1_GetLocalEvaluationResponse>;
  
  GetMyFlags: grpc.handleUnaryCall<_sluice_v1_GetMyFlagsRequest__Output, _sluice_v1_GetMyFlagsResponse>;
  
  GetPropagation: grpc.handleUnaryCall<_sluice_v1_GetPropagationRequest__Output, _sluice_v1_Propagation>;
  
  GetRemoteConfig: grpc.handleUnaryCall<_sluice_v1_GetRemoteConfigRequest__Output, _sluice_v1_RemoteConfig>;
  
  ListFeatureFlagActivity: grpc.handleUnaryCall<_sluice_v1_ListFeatureFlagActivityRequest__Output, _sluice_v1_ListActivityResponse>;
  
  ListFeatureFlags: grpc.handleUnaryCall<_sluice_v1_ListFeatureFlagsRequest__Output, _sluice_v1_ListFeatureFlagsResponse>;
  
  ListFeatureFlagsByToken: grpc.handleUnaryCall<_sluice_v1_ListFeatureFlagsByTokenRequest__Output, _sluice_v1_ListFeatureFlagsResponse>;
  
  ListFlagUsage: grpc.handleUnaryCall<_sluice_v1_ListFlagUsageRequest__Output, _sluice_v1_ListFlagUsageResponse>;
  
  RollbackFeatureFlag: grpc.handleUnaryCall<_sluice_v1_RollbackFeatureFlagRequest__Output, _sluice_v1_FeatureFlag>;
  
  UpdateFeatureFlag: grpc.handleUnaryCall<_sluice_v1_UpdateFeatureFlagRequest__Output, _sluice_v1_FeatureFlag>;
  
}

export interface FeatureFlagServiceDefinition extends grpc.ServiceDefinition {
  ChangeFeatureFlags: MethodDefinition<_sluice_v1_ChangeFeatureFlagsRequest, _sluice_v1_ChangeFeatureFlagsResponse, _sluice_v1_ChangeFeatureFlagsRequest__Output, _sluice_v1_ChangeFeatureFlagsResponse__Output>
  CreateFeatureFlag: MethodDefinition<_sluice_v1_CreateFeatureFlagRequest, _sluice_v1_FeatureFlag, _sluice_v1_CreateFeatureFlagRequest__Output, _sluice_v1_FeatureFlag__Output>
  EvaluateFlags: MethodDefinition<_sluice_v1_EvaluateFlagsRequest, _sluice_v1_EvaluateFlagsResponse, _sluice_v1_EvaluateFlagsRequest__Output, _sluice_v1_EvaluateFlagsResponse__Output>
  GetFeatureFlag: MethodDefinition<_sluice_v1_GetFeatureFlagRequest, _sluice_v1_FeatureFlag, _sluice_v1_GetFeatureFlagRequest__Output, _sluice_v1_FeatureFlag__Output>
  GetFlagDefinitions: MethodDefinition<_sluice_v1_GetFlagDefinitionsRequest, _sluice_v1_GetFlagDefinitionsResponse, _sluice_v1_GetFlagDefinitionsRequest__Output, _sluice_v1_GetFlagDefinitionsResponse__Output>
  GetFlagDependencies: MethodDefinition<_sluice_v1_GetFlagDependenciesRequest, _sluice_v1_FlagDependencies, _sluice_v1_GetFlagDependenciesRequest__Output, _sluice_v1_FlagDependencies__Output>
  GetFlagReach: MethodDefinition<_sluice_v1_GetFlagReachRequest, _sluice_v1_FlagReach, _sluice_v1_GetFlagReachRequest__Output, _sluice_v1_FlagReach__Output>
  GetFlagUsage: MethodDefinition<_sluice_v1_GetFlagUsageRequest, _sluice_v1_FlagUsage, _sluice_v1_GetFlagUsageRequest__Output, _sluice_v1_FlagUsage__Output>
  GetLocalEvaluation: MethodDefinition<_sluice_v1_GetLocalEvaluationRequest, _sluice_v1_GetLocalEvaluationResponse, _sluice_v1_GetLocalEvaluationRequest__Output, _sluice_v1_GetLocalEvaluationResponse__Output>
  GetLocalEvaluationByToken: MethodDefinition<_sluice_v1_GetLocalEvaluationByTokenRequest, _sluice_v1_GetLocalEvaluationResponse, _sluice_v1_GetLocalEvaluationByTokenRequest__Output, _sluice_v1_GetLocalEvaluationResponse__Output>
  GetMyFlags: MethodDefinition<_sluice_v1_GetMyFlagsRequest, _sluice_v1_GetMyFlagsResponse, _sluice_v1_GetMyFlagsRequest__Output, _sluice_v1_GetMyFlagsResponse__Output>
  GetPropagation: MethodDefinition<_sluice_v1_GetPropagationRequest, _sluice_v1_Propagation, _sluice_v1_GetPropagationRequest__Output, _sluice_v1_Propagation__Output>
  GetRemoteConfig: MethodDefinition<_sluice_v1_GetRemoteConfigRequest, _sluice_v1_RemoteConfig, _sluice_v1_GetRemoteConfigRequest__Output, _sluice_v1_RemoteConfig__Output>
  ListFeatureFlagActivity: MethodDefinition<_sluice_v1_ListFeatureFlagActivityRequest, _sluice_v1_ListActivityResponse, _sluice_v1_ListFeatureFlagActivityRequest__Output, _sluice_v1_ListActivityResponse__Output>
  ListFeatureFlags: MethodDefinition<_sluice_v1_ListFeatureFlagsRequest, _sluice_v1_ListFeatureFlagsResponse, _sluice_v1_ListFeatureFlagsRequest__Output, _sluice_v1_ListFeatureFlagsResponse__Output>
  ListFeatureFlagsByToken: MethodDefinition<_sluice_v1_ListFeatureFlagsByTokenRequest, _sluice_v1_ListFeatureFlagsResponse, _sluice_v1_ListFeatureFlagsByTokenRequest__Output, _sluice_v1_ListFeatureFlagsResponse__Output>
  ListFlagUsage: MethodDefinition<_sluice_v1_ListFlagUsageRequest, _sluice_v1_ListFlagUsageResponse, _sluice_v1_ListFlagUsageRequest__Output, _sluice_v1_ListFlagUsageResponse__Output>
  RollbackFeatureFlag: MethodDefinition<_sluice_v1_RollbackFeatureFlagRequest, _sluice_v1_FeatureFlag, _sluice_v1_RollbackFeatureFlagRequest__Output, _sluice_v1_FeatureFlag__Output>
  UpdateFeatureFlag: MethodDefinition<_sluice_v1_UpdateFeatureFlagRequest, _sluice_v1_FeatureFlag, _sluice_v1_UpdateFeatureFlagRequest__Output, _sluice_v1_FeatureFlag__Output>
}
