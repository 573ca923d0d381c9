// From proto/sluice/v1/admin.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CompareCopyRequest as _sluice_v1_CompareCopyRequest, CompareCopyRequest__Output as _sluice_v1_CompareCopyRequest__Output } from '../../sluice/v1/CompareCopyRequest.ts';
import type { ConfirmEmailRequest as _sluice_v1_ConfirmEmailRequest, ConfirmEmailRequest__Output as _sluice_v1_ConfirmEmailRequest__Output } from '../../sluice/v1/ConfirmEmailRequest.ts';
import type { CopyComparison as _sluice_v1_CopyComparison, CopyComparison__Output as _sluice_v1_CopyComparison__Output } from '../../sluice/v1/CopyComparison.ts';
import type { CopyStatus as _sluice_v1_CopyStatus, CopyStatus__Output as _sluice_v1_CopyStatus__Output } from '../../sluice/v1/CopyStatus.ts';
import type { CreateKeyRequest as _sluice_v1_CreateKeyRequest, CreateKeyRequest__Output as _sluice_v1_CreateKeyRequest__Output } from '../../sluice/v1/CreateKeyRequest.ts';
import type { CreateKeyResponse as _sluice_v1_CreateKeyResponse, CreateKeyResponse__Output as _sluice_v1_CreateKeyResponse__Output } from '../../sluice/v1/CreateKeyResponse.ts';
import type { CreateLoginLinkRequest as _sluice_v1_CreateLoginLinkRequest, CreateLoginLinkRequest__Output as _sluice_v1_CreateLoginLinkRequest__Output } from '../../sluice/v1/CreateLoginLinkRequest.ts';
import type { CreateUserRequest as _sluice_v1_CreateUserRequest, CreateUserRequest__Output as _sluice_v1_CreateUserRequest__Output } from '../../sluice/v1/CreateUserRequest.ts';
import type { CreateUserResponse as _sluice_v1_CreateUserResponse, CreateUserResponse__Output as _sluice_v1_CreateUserResponse__Output } from '../../sluice/v1/CreateUserResponse.ts';
import type { DeadLetter as _sluice_v1_DeadLetter, DeadLetter__Output as _sluice_v1_DeadLetter__Output } from '../../sluice/v1/DeadLetter.ts';
import type { DeadLetterFilter as _sluice_v1_DeadLetterFilter, DeadLetterFilter__Output as _sluice_v1_DeadLetterFilter__Output } from '../../sluice/v1/DeadLetterFilter.ts';
import type { DeadLettersDone as _sluice_v1_DeadLettersDone, DeadLettersDone__Output as _sluice_v1_DeadLettersDone__Output } from '../../sluice/v1/DeadLettersDone.ts';
import type { DrainRequest as _sluice_v1_DrainRequest, DrainRequest__Output as _sluice_v1_DrainRequest__Output } from '../../sluice/v1/DrainRequest.ts';
import type { DrainResponse as _sluice_v1_DrainResponse, DrainResponse__Output as _sluice_v1_DrainResponse__Output } from '../../sluice/v1/DrainResponse.ts';
import type { FillCopyRequest as _sluice_v1_FillCopyRequest, FillCopyRequest__Output as _sluice_v1_FillCopyRequest__Output } from '../../sluice/v1/FillCopyRequest.ts';
import type { FillCopyResponse as _sluice_v1_FillCopyResponse, FillCopyResponse__Output as _sluice_v1_FillCopyResponse__Output } from '../../sluice/v1/FillCopyResponse.ts';
import type { GetCopyRequest as _sluice_v1_GetCopyRequest, GetCopyRequest__Output as _sluice_v1_GetCopyRequest__Output } from '../../sluice/v1/GetCopyRequest.ts';
import type { GetDeadLetterRequest as _sluice_v1_GetDeadLetterRequest, GetDeadLetterRequest__Output as _sluice_v1_GetDeadLetterRequest__Output } from '../../sluice/v1/GetDeadLetterRequest.ts';
import type { GetSpillRequest as _sluice_v1_GetSpillRequest, GetSpillRequest__Output as _sluice_v1_GetSpillRequest__Output } from '../../sluice/v1/GetSpillRequest.ts';
import type { GetStatusRequest as _sluice_v1_GetStatusRequest, GetStatusRequest__Output as _sluice_v1_GetStatusRequest__Output } from '../../sluice/v1/GetStatusRequest.ts';
import type { GetStatusResponse as _sluice_v1_GetStatusResponse, GetStatusResponse__Output as _sluice_v1_GetStatusResponse__Output } from '../../sluice/v1/GetStatusResponse.ts';
import type { InstanceDetails as _sluice_v1_InstanceDetails, InstanceDetails__Output as _sluice_v1_InstanceDetails__Output } from '../../sluice/v1/InstanceDetails.ts';
import type { ListActivityResponse as _sluice_v1_ListActivityResponse, ListActivityResponse__Output as _sluice_v1_ListActivityResponse__Output } from '../../sluice/v1/ListActivityResponse.ts';
import type { ListDeadLettersResponse as _sluice_v1_ListDeadLettersResponse, ListDeadLettersResponse__Output as _sluice_v1_ListDeadLettersResponse__Output } from '../../sluice/v1/ListDeadLettersResponse.ts';
import type { ListInstanceActivityRequest as _sluice_v1_ListInstanceActivityRequest, ListInstanceActivityRequest__Output as _sluice_v1_ListInstanceActivityRequest__Output } from '../../sluice/v1/ListInstanceActivityRequest.ts';
import type { LoginLink as _sluice_v1_LoginLink, LoginLink__Output as _sluice_v1_LoginLink__Output } from '../../sluice/v1/LoginLink.ts';
import type { MoveHomeRequest as _sluice_v1_MoveHomeRequest, MoveHomeRequest__Output as _sluice_v1_MoveHomeRequest__Output } from '../../sluice/v1/MoveHomeRequest.ts';
import type { MoveMonthRequest as _sluice_v1_MoveMonthRequest, MoveMonthRequest__Output as _sluice_v1_MoveMonthRequest__Output } from '../../sluice/v1/MoveMonthRequest.ts';
import type { MoveMonthResponse as _sluice_v1_MoveMonthResponse, MoveMonthResponse__Output as _sluice_v1_MoveMonthResponse__Output } from '../../sluice/v1/MoveMonthResponse.ts';
import type { RevokeKeyRequest as _sluice_v1_RevokeKeyRequest, RevokeKeyRequest__Output as _sluice_v1_RevokeKeyRequest__Output } from '../../sluice/v1/RevokeKeyRequest.ts';
import type { RotateSecretsRequest as _sluice_v1_RotateSecretsRequest, RotateSecretsRequest__Output as _sluice_v1_RotateSecretsRequest__Output } from '../../sluice/v1/RotateSecretsRequest.ts';
import type { RotateSecretsResponse as _sluice_v1_RotateSecretsResponse, RotateSecretsResponse__Output as _sluice_v1_RotateSecretsResponse__Output } from '../../sluice/v1/RotateSecretsResponse.ts';
import type { SetOwnerRequest as _sluice_v1_SetOwnerRequest, SetOwnerRequest__Output as _sluice_v1_SetOwnerRequest__Output } from '../../sluice/v1/SetOwnerRequest.ts';
import type { SetOwnerResponse as _sluice_v1_SetOwnerResponse, SetOwnerResponse__Output as _sluice_v1_SetOwnerResponse__Output } from '../../sluice/v1/SetOwnerResponse.ts';
import type { SetPluginsLevelRequest as _sluice_v1_SetPluginsLevelRequest, SetPluginsLevelRequest__Output as _sluice_v1_SetPluginsLevelRequest__Output } from '../../sluice/v1/SetPluginsLevelRequest.ts';
import type { SetPluginsLevelResponse as _sluice_v1_SetPluginsLevelResponse, SetPluginsLevelResponse__Output as _sluice_v1_SetPluginsLevelResponse__Output } from '../../sluice/v1/SetPluginsLevelResponse.ts';
import type { ShowInstanceRequest as _sluice_v1_ShowInstanceRequest, ShowInstanceRequest__Output as _sluice_v1_ShowInstanceRequest__Output } from '../../sluice/v1/ShowInstanceRequest.ts';
import type { SpillStatus as _sluice_v1_SpillStatus, SpillStatus__Output as _sluice_v1_SpillStatus__Output } from '../../sluice/v1/SpillStatus.ts';
import type { UserDetails as _sluice_v1_UserDetails, UserDetails__Output as _sluice_v1_UserDetails__Output } from '../../sluice/v1/UserDetails.ts';
import type { UserReference as _sluice_v1_UserReference, UserReference__Output as _sluice_v1_UserReference__Output } from '../../sluice/v1/UserReference.ts';

export interface AdminServiceClient extends grpc.Client {
  CompareCopy(argument: _sluice_v1_CompareCopyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyComparison__Output>): grpc.ClientUnaryCall;
  CompareCopy(argument: _sluice_v1_CompareCopyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CopyComparison__Output>): grpc.ClientUnaryCall;
  CompareCopy(argument: _sluice_v1_CompareCopyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyComparison__Output>): grpc.ClientUnaryCall;
  CompareCopy(argument: _sluice_v1_CompareCopyRequest, callback: grpc.requestCallback<_sluice_v1_CopyComparison__Output>): grpc.ClientUnaryCall;
  compareCopy(argument: _sluice_v1_CompareCopyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyComparison__Output>): grpc.ClientUnaryCall;
  compareCopy(argument: _sluice_v1_CompareCopyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CopyComparison__Output>): grpc.ClientUnaryCall;
  compareCopy(argument: _sluice_v1_CompareCopyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyComparison__Output>): grpc.ClientUnaryCall;
  compareCopy(argument: _sluice_v1_CompareCopyRequest, callback: grpc.requestCallback<_sluice_v1_CopyComparison__Output>): grpc.ClientUnaryCall;
  
  ConfirmEmail(argument: _sluice_v1_ConfirmEmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  ConfirmEmail(argument: _sluice_v1_ConfirmEmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  ConfirmEmail(argument: _sluice_v1_ConfirmEmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  ConfirmEmail(argument: _sluice_v1_ConfirmEmailRequest, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  confirmEmail(argument: _sluice_v1_ConfirmEmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  confirmEmail(argument: _sluice_v1_ConfirmEmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  confirmEmail(argument: _sluice_v1_ConfirmEmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  confirmEmail(argument: _sluice_v1_ConfirmEmailRequest, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  
  CreateKey(argument: _sluice_v1_CreateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateKeyResponse__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _sluice_v1_CreateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CreateKeyResponse__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _sluice_v1_CreateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateKeyResponse__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _sluice_v1_CreateKeyRequest, callback: grpc.requestCallback<_sluice_v1_CreateKeyResponse__Output>): grpc.ClientUnaryCall;
  createKey(argument: _sluice_v1_CreateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateKeyResponse__Output>): grpc.ClientUnaryCall;
  createKey(argument: _sluice_v1_CreateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CreateKeyResponse__Output>): grpc.ClientUnaryCall;
  createKey(argument: _sluice_v1_CreateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateKeyResponse__Output>): grpc.ClientUnaryCall;
  createKey(argument: _sluice_v1_CreateKeyRequest, callback: grpc.requestCallback<_sluice_v1_CreateKeyResponse__Output>): grpc.ClientUnaryCall;
  
  CreateLoginLink(argument: _sluice_v1_CreateLoginLinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_LoginLink__Output>): grpc.ClientUnaryCall;
  CreateLoginLink(argument: _sluice_v1_CreateLoginLinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_LoginLink__Output>): grpc.ClientUnaryCall;
  CreateLoginLink(argument: _sluice_v1_CreateLoginLinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_LoginLink__Output>): grpc.ClientUnaryCall;
  CreateLoginLink(argument: _sluice_v1_CreateLoginLinkRequest, callback: grpc.requestCallback<_sluice_v1_LoginLink__Output>): grpc.ClientUnaryCall;
  createLoginLink(argument: _sluice_v1_CreateLoginLinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_LoginLink__Output>): grpc.ClientUnaryCall;
  createLoginLink(argument: _sluice_v1_CreateLoginLinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_LoginLink__Output>): grpc.ClientUnaryCall;
  createLoginLink(argument: _sluice_v1_CreateLoginLinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_LoginLink__Output>): grpc.ClientUnaryCall;
  createLoginLink(argument: _sluice_v1_CreateLoginLinkRequest, callback: grpc.requestCallback<_sluice_v1_LoginLink__Output>): grpc.ClientUnaryCall;
  
  CreateUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _sluice_v1_CreateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _sluice_v1_CreateUserRequest, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _sluice_v1_CreateUserRequest, callback: grpc.requestCallback<_sluice_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  
  DisableUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  DisableUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  DisableUser(argument: _sluice_v1_UserReference, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  DisableUser(argument: _sluice_v1_UserReference, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  disableUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  disableUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  disableUser(argument: _sluice_v1_UserReference, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  disableUser(argument: _sluice_v1_UserReference, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  
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
  
  EnableUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  EnableUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  EnableUser(argument: _sluice_v1_UserReference, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  EnableUser(argument: _sluice_v1_UserReference, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  enableUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  enableUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  enableUser(argument: _sluice_v1_UserReference, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  enableUser(argument: _sluice_v1_UserReference, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  
  FillCopy(argument: _sluice_v1_FillCopyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FillCopyResponse__Output>): grpc.ClientUnaryCall;
  FillCopy(argument: _sluice_v1_FillCopyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FillCopyResponse__Output>): grpc.ClientUnaryCall;
  FillCopy(argument: _sluice_v1_FillCopyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FillCopyResponse__Output>): grpc.ClientUnaryCall;
  FillCopy(argument: _sluice_v1_FillCopyRequest, callback: grpc.requestCallback<_sluice_v1_FillCopyResponse__Output>): grpc.ClientUnaryCall;
  fillCopy(argument: _sluice_v1_FillCopyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FillCopyResponse__Output>): grpc.ClientUnaryCall;
  fillCopy(argument: _sluice_v1_FillCopyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_FillCopyResponse__Output>): grpc.ClientUnaryCall;
  fillCopy(argument: _sluice_v1_FillCopyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_FillCopyResponse__Output>): grpc.ClientUnaryCall;
  fillCopy(argument: _sluice_v1_FillCopyRequest, callback: grpc.requestCallback<_sluice_v1_FillCopyResponse__Output>): grpc.ClientUnaryCall;
  
  GetCopy(argument: _sluice_v1_GetCopyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  GetCopy(argument: _sluice_v1_GetCopyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  GetCopy(argument: _sluice_v1_GetCopyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  GetCopy(argument: _sluice_v1_GetCopyRequest, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  getCopy(argument: _sluice_v1_GetCopyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  getCopy(argument: _sluice_v1_GetCopyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  getCopy(argument: _sluice_v1_GetCopyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  getCopy(argument: _sluice_v1_GetCopyRequest, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  
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
  
  ListInstanceActivity(argument: _sluice_v1_ListInstanceActivityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListInstanceActivity(argument: _sluice_v1_ListInstanceActivityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListInstanceActivity(argument: _sluice_v1_ListInstanceActivityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  ListInstanceActivity(argument: _sluice_v1_ListInstanceActivityRequest, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listInstanceActivity(argument: _sluice_v1_ListInstanceActivityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listInstanceActivity(argument: _sluice_v1_ListInstanceActivityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listInstanceActivity(argument: _sluice_v1_ListInstanceActivityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  listInstanceActivity(argument: _sluice_v1_ListInstanceActivityRequest, callback: grpc.requestCallback<_sluice_v1_ListActivityResponse__Output>): grpc.ClientUnaryCall;
  
  MoveHome(argument: _sluice_v1_MoveHomeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  MoveHome(argument: _sluice_v1_MoveHomeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  MoveHome(argument: _sluice_v1_MoveHomeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  MoveHome(argument: _sluice_v1_MoveHomeRequest, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  moveHome(argument: _sluice_v1_MoveHomeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  moveHome(argument: _sluice_v1_MoveHomeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  moveHome(argument: _sluice_v1_MoveHomeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  moveHome(argument: _sluice_v1_MoveHomeRequest, callback: grpc.requestCallback<_sluice_v1_CopyStatus__Output>): grpc.ClientUnaryCall;
  
  MoveMonth(argument: _sluice_v1_MoveMonthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_MoveMonthResponse__Output>): grpc.ClientUnaryCall;
  MoveMonth(argument: _sluice_v1_MoveMonthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_MoveMonthResponse__Output>): grpc.ClientUnaryCall;
  MoveMonth(argument: _sluice_v1_MoveMonthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_MoveMonthResponse__Output>): grpc.ClientUnaryCall;
  MoveMonth(argument: _sluice_v1_MoveMonthRequest, callback: grpc.requestCallback<_sluice_v1_MoveMonthResponse__Output>): grpc.ClientUnaryCall;
  moveMonth(argument: _sluice_v1_MoveMonthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_MoveMonthResponse__Output>): grpc.ClientUnaryCall;
  moveMonth(argument: _sluice_v1_MoveMonthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_MoveMonthResponse__Output>): grpc.ClientUnaryCall;
  moveMonth(argument: _sluice_v1_MoveMonthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_MoveMonthResponse__Output>): grpc.ClientUnaryCall;
  moveMonth(argument: _sluice_v1_MoveMonthRequest, callback: grpc.requestCallback<_sluice_v1_MoveMonthResponse__Output>): grpc.ClientUnaryCall;
  
  ReplayDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetters(argument: _sluice_v1_DeadLetterFilter, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetters(argument: _sluice_v1_DeadLetterFilter, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_DeadLetterFilter, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_DeadLetterFilter, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  replayDeadLetters(argument: _sluice_v1_DeadLetterFilter, callback: grpc.requestCallback<_sluice_v1_DeadLettersDone__Output>): grpc.ClientUnaryCall;
  
  RevokeKey(argument: _sluice_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _sluice_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _sluice_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _sluice_v1_RevokeKeyRequest, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _sluice_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _sluice_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _sluice_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _sluice_v1_RevokeKeyRequest, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  
  RotateSecrets(argument: _sluice_v1_RotateSecretsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RotateSecretsResponse__Output>): grpc.ClientUnaryCall;
  RotateSecrets(argument: _sluice_v1_RotateSecretsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_RotateSecretsResponse__Output>): grpc.ClientUnaryCall;
  RotateSecrets(argument: _sluice_v1_RotateSecretsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RotateSecretsResponse__Output>): grpc.ClientUnaryCall;
  RotateSecrets(argument: _sluice_v1_RotateSecretsRequest, callback: grpc.requestCallback<_sluice_v1_RotateSecretsResponse__Output>): grpc.ClientUnaryCall;
  rotateSecrets(argument: _sluice_v1_RotateSecretsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RotateSecretsResponse__Output>): grpc.ClientUnaryCall;
  rotateSecrets(argument: _sluice_v1_RotateSecretsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_RotateSecretsResponse__Output>): grpc.ClientUnaryCall;
  rotateSecrets(argument: _sluice_v1_RotateSecretsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_RotateSecretsResponse__Output>): grpc.ClientUnaryCall;
  rotateSecrets(argument: _sluice_v1_RotateSecretsRequest, callback: grpc.requestCallback<_sluice_v1_RotateSecretsResponse__Output>): grpc.ClientUnaryCall;
  
  SetOwner(argument: _sluice_v1_SetOwnerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SetOwnerResponse__Output>): grpc.ClientUnaryCall;
  SetOwner(argument: _sluice_v1_SetOwnerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SetOwnerResponse__Output>): grpc.ClientUnaryCall;
  SetOwner(argument: _sluice_v1_SetOwnerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SetOwnerResponse__Output>): grpc.ClientUnaryCall;
  SetOwner(argument: _sluice_v1_SetOwnerRequest, callback: grpc.requestCallback<_sluice_v1_SetOwnerResponse__Output>): grpc.ClientUnaryCall;
  setOwner(argument: _sluice_v1_SetOwnerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SetOwnerResponse__Output>): grpc.ClientUnaryCall;
  setOwner(argument: _sluice_v1_SetOwnerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SetOwnerResponse__Output>): grpc.ClientUnaryCall;
  setOwner(argument: _sluice_v1_SetOwnerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SetOwnerResponse__Output>): grpc.ClientUnaryCall;
  setOwner(argument: _sluice_v1_SetOwnerRequest, callback: grpc.requestCallback<_sluice_v1_SetOwnerResponse__Output>): grpc.ClientUnaryCall;
  
  SetPluginsLevel(argument: _sluice_v1_SetPluginsLevelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SetPluginsLevelResponse__Output>): grpc.ClientUnaryCall;
  SetPluginsLevel(argument: _sluice_v1_SetPluginsLevelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SetPluginsLevelResponse__Output>): grpc.ClientUnaryCall;
  SetPluginsLevel(argument: _sluice_v1_SetPluginsLevelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SetPluginsLevelResponse__Output>): grpc.ClientUnaryCall;
  SetPluginsLevel(argument: _sluice_v1_SetPluginsLevelRequest, callback: grpc.requestCallback<_sluice_v1_SetPluginsLevelResponse__Output>): grpc.ClientUnaryCall;
  setPluginsLevel(argument: _sluice_v1_SetPluginsLevelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SetPluginsLevelResponse__Output>): grpc.ClientUnaryCall;
  setPluginsLevel(argument: _sluice_v1_SetPluginsLevelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_SetPluginsLevelResponse__Output>): grpc.ClientUnaryCall;
  setPluginsLevel(argument: _sluice_v1_SetPluginsLevelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_SetPluginsLevelResponse__Output>): grpc.ClientUnaryCall;
  setPluginsLevel(argument: _sluice_v1_SetPluginsLevelRequest, callback: grpc.requestCallback<_sluice_v1_SetPluginsLevelResponse__Output>): grpc.ClientUnaryCall;
  
  ShowInstance(argument: _sluice_v1_ShowInstanceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_InstanceDetails__Output>): grpc.ClientUnaryCall;
  ShowInstance(argument: _sluice_v1_ShowInstanceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_InstanceDetails__Output>): grpc.ClientUnaryCall;
  ShowInstance(argument: _sluice_v1_ShowInstanceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_InstanceDetails__Output>): grpc.ClientUnaryCall;
  ShowInstance(argument: _sluice_v1_ShowInstanceRequest, callback: grpc.requestCallback<_sluice_v1_InstanceDetails__Output>): grpc.ClientUnaryCall;
  showInstance(argument: _sluice_v1_ShowInstanceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_InstanceDetails__Output>): grpc.ClientUnaryCall;
  showInstance(argument: _sluice_v1_ShowInstanceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_InstanceDetails__Output>): grpc.ClientUnaryCall;
  showInstance(argument: _sluice_v1_ShowInstanceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_InstanceDetails__Output>): grpc.ClientUnaryCall;
  showInstance(argument: _sluice_v1_ShowInstanceRequest, callback: grpc.requestCallback<_sluice_v1_InstanceDetails__Output>): grpc.ClientUnaryCall;
  
  ShowUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  ShowUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  ShowUser(argument: _sluice_v1_UserReference, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  ShowUser(argument: _sluice_v1_UserReference, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  showUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  showUser(argument: _sluice_v1_UserReference, metadata: grpc.Metadata, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  showUser(argument: _sluice_v1_UserReference, options: grpc.CallOptions, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  showUser(argument: _sluice_v1_UserReference, callback: grpc.requestCallback<_sluice_v1_UserDetails__Output>): grpc.ClientUnaryCall;
  
}

export interface AdminServiceHandlers extends grpc.UntypedServiceImplementation {
  CompareCopy: grpc.handleUnaryCall<_sluice_v1_CompareCopyRequest__Output, _sluice_v1_CopyComparison>;
  
  ConfirmEmail: grpc.handleUnaryCall<_sluice_v1_ConfirmEmailRequest__Output, _sluice_v1_UserDetails>;
  
  CreateKey: grpc.handleUnaryCall<_sluice_v1_CreateKeyRequest__Output, _sluice_v1_CreateKeyResponse>;
  
  CreateLoginLink: grpc.handleUnaryCall<_sluice_v1_CreateLoginLinkRequest__Output, _sluice_v1_LoginLink>;
  
  CreateUser: grpc.handleUnaryCall<_sluice_v1_CreateUserRequest__Output, _sluice_v1_CreateUserResponse>;
  
  DisableUser: grpc.handleUnaryCall<_sluice_v1_UserReference__Output, _sluice_v1_UserDetails>;
  
  DiscardDeadLetters: grpc.handleUnaryCall<_sluice_v1_DeadLetterFilter__Output, _sluice_v1_DeadLettersDone>;
  
  Drain: grpc.handleUnaryCall<_sluice_v1_DrainRequest__Output, _sluice_v1_DrainResponse>;
  
  EnableUser: grpc.handleUnaryCall<_sluice_v1_UserReference__Output, _sluice_v1_UserDetails>;
  
  FillCopy: grpc.handleUnaryCall<_sluice_v1_FillCopyRequest__Output, _sluice_v1_FillCopyResponse>;
  
  GetCopy: grpc.handleUnaryCall<_sluice_v1_GetCopyRequest__Output, _sluice_v1_CopyStatus>;
  
  GetDeadLetter: grpc.handleUnaryCall<_sluice_v1_GetDeadLetterRequest__Output, _sluice_v1_DeadLetter>;
  
  GetSpill: grpc.handleUnaryCall<_sluice_v1_GetSpillRequest__Output, _sluice_v1_SpillStatus>;
  
  GetStatus: grpc.handleUnaryCall<_sluice_v1_GetStatusRequest__Output, _sluice_v1_GetStatusResponse>;
  
  ListDeadLetters: grpc.handleUnaryCall<_sluice_v1_DeadLetterFilter__Output, _sluice_v1_ListDeadLettersResponse>;
  
  ListInstanceActivity: grpc.handleUnaryCall<_sluice_v1_ListInstanceActivityRequest__Output, _sluice_v1_ListActivityResponse>;
  
  MoveHome: grpc.handleUnaryCall<_sluice_v1_MoveHomeRequest__Output, _sluice_v1_CopyStatus>;
  
  MoveMonth: grpc.handleUnaryCall<_sluice_v1_MoveMonthRequest__Output, _sluice_v1_MoveMonthResponse>;
  
  ReplayDeadLetters: grpc.handleUnaryCall<_sluice_v1_DeadLetterFilter__Output, _sluice_v1_DeadLettersDone>;
  
  RevokeKey: grpc.handleUnaryCall<_sluice_v1_RevokeKeyRequest__Output, _sluice_v1_UserDetails>;
  
  RotateSecrets: grpc.handleUnaryCall<_sluice_v1_RotateSecretsRequest__Output, _sluice_v1_RotateSecretsResponse>;
  
  SetOwner: grpc.handleUnaryCall<_sluice_v1_SetOwnerRequest__Output, _sluice_v1_SetOwnerResponse>;
  
  SetPluginsLevel: grpc.handleUnaryCall<_sluice_v1_SetPluginsLevelRequest__Output, _sluice_v1_SetPluginsLevelResponse>;
  
  ShowInstance: grpc.handleUnaryCall<_sluice_v1_ShowInstanceRequest__Output, _sluice_v1_InstanceDetails>;
  
  ShowUser: grpc.handleUnaryCall<_sluice_v1_UserReference__Output, _sluice_v1_UserDetails>;
  
}

export interface AdminServiceDefinition extends grpc.ServiceDefinition {
  CompareCopy: MethodDefinition<_sluice_v1_CompareCopyRequest, _sluice_v1_CopyComparison, _sluice_v1_CompareCopyRequest__Output, _sluice_v1_CopyComparison__Output>
  ConfirmEmail: MethodDefinition<_sluice_v1_ConfirmEmailRequest, _sluice_v1_UserDetails, _sluice_v1_ConfirmEmailRequest__Output, _sluice_v1_UserDetails__Output>
  CreateKey: MethodDefinition<_sluice_v1_CreateKeyRequest, _sluice_v1_CreateKeyResponse, _sluice_v1_CreateKeyRequest__Output, _sluice_v1_CreateKeyResponse__Output>
  CreateLoginLink: MethodDefinition<_sluice_v1_CreateLoginLinkRequest, _sluice_v1_LoginLink, _sluice_v1_CreateLoginLinkRequest__Output, _sluice_v1_LoginLink__Output>
  CreateUser: MethodDefinition<_sluice_v1_CreateUserRequest, _sluice_v1_CreateUserResponse, _sluice_v1_CreateUserRequest__Output, _sluice_v1_CreateUserResponse__Output>
  DisableUser: MethodDefinition<_sluice_v1_UserReference, _sluice_v1_UserDetails, _sluice_v1_UserReference__Output, _sluice_v1_UserDetails__Output>
  DiscardDeadLetters: MethodDefinition<_sluice_v1_DeadLetterFilter, _sluice_v1_DeadLettersDone, _sluice_v1_DeadLetterFilter__Output, _sluice_v1_DeadLettersDone__Output>
  Drain: MethodDefinition<_sluice_v1_DrainRequest, _sluice_v1_DrainResponse, _sluice_v1_DrainRequest__Output, _sluice_v1_DrainResponse__Output>
  EnableUser: MethodDefinition<_sluice_v1_UserReference, _sluice_v1_UserDetails, _sluice_v1_UserReference__Output, _sluice_v1_UserDetails__Output>
  FillCopy: MethodDefinition<_sluice_v1_FillCopyRequest, _sluice_v1_FillCopyResponse, _sluice_v1_FillCopyRequest__Output, _sluice_v1_FillCopyResponse__Output>
  GetCopy: MethodDefinition<_sluice_v1_GetCopyRequest, _sluice_v1_CopyStatus, _sluice_v1_GetCopyRequest__Output, _sluice_v1_CopyStatus__Output>
  GetDeadLetter: MethodDefinition<_sluice_v1_GetDeadLetterRequest, _sluice_v1_DeadLetter, _sluice_v1_GetDeadLetterRequest__Output, _sluice_v1_DeadLetter__Output>
  GetSpill: MethodDefinition<_sluice_v1_GetSpillRequest, _sluice_v1_SpillStatus, _sluice_v1_GetSpillRequest__Output, _sluice_v1_SpillStatus__Output>
  GetStatus: MethodDefinition<_sluice_v1_GetStatusRequest, _sluice_v1_GetStatusResponse, _sluice_v1_GetStatusRequest__Output, _sluice_v1_GetStatusResponse__Output>
  ListDeadLetters: MethodDefinition<_sluice_v1_DeadLetterFilter, _sluice_v1_ListDeadLettersResponse, _sluice_v1_DeadLetterFilter__Output, _sluice_v1_ListDeadLettersResponse__Output>
  ListInstanceActivity: MethodDefinition<_sluice_v1_ListInstanceActivityRequest, _sluice_v1_ListActivityResponse, _sluice_v1_ListInstanceActivityRequest__Output, _sluice_v1_ListActivityResponse__Output>
  MoveHome: MethodDefinition<_sluice_v1_MoveHomeRequest, _sluice_v1_CopyStatus, _sluice_v1_MoveHomeRequest__Output, _sluice_v1_CopyStatus__Output>
  MoveMonth: MethodDefinition<_sluice_v1_MoveMonthRequest, _sluice_v1_MoveMonthResponse, _sluice_v1_MoveMonthRequest__Output, _sluice_v1_MoveMonthResponse__Output>
  ReplayDeadLetters: MethodDefinition<_sluice_v1_DeadLetterFilter, _sluice_v1_DeadLettersDone, _sluice_v1_DeadLetterFilter__Output, _sluice_v1_DeadLettersDone__Output>
  RevokeKey: MethodDefinition<_sluice_v1_RevokeKeyRequest, _sluice_v1_UserDetails, _sluice_v1_RevokeKeyRequest__Output, _sluice_v1_UserDetails__Output>
  RotateSecrets: MethodDefinition<_sluice_v1_RotateSecretsRequest, _sluice_v1_RotateSecretsResponse, _sluice_v1_RotateSecretsRequest__Output, _sluice_v1_RotateSecretsResponse__Output>
  SetOwner: MethodDefinition<_sluice_v1_SetOwnerRequest, _sluice_v1_SetOwnerResponse, _sluice_v1_SetOwnerRequest__Output, _sluice_v1_SetOwnerResponse__Output>
  SetPluginsLevel: MethodDefinition<_sluice_v1_SetPluginsLevelRequest, _sluice_v1_SetPluginsLevelResponse, _sluice_v1_SetPluginsLevelRequest__Output, _sluice_v1_SetPluginsLevelResponse__Output>
  ShowInstance: MethodDefinition<_sluice_v1_ShowInstanceRequest, _sluice_v1_InstanceDetails, _sluice_v1_ShowInstanceRequest__Output, _sluice_v1_InstanceDetails__Output>
  ShowUser: MethodDefinition<_sluice_v1_UserReference, _sluice_v1_UserDetails, _sluice_v1_UserReference__Output, _sluice_v1_UserDetails__Output>
}
