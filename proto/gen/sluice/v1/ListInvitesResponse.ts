// From proto/sluice/v1/invites.proto

import type { Invite as _sluice_v1_Invite, Invite__Output as _sluice_v1_Invite__Output } from '../../sluice/v1/Invite.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListInvitesResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_Invite)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListInvitesResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_Invite__Output)[];
}
