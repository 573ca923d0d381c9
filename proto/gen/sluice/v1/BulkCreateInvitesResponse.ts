// From proto/sluice/v1/invites.proto

import type { Invite as _sluice_v1_Invite, Invite__Output as _sluice_v1_Invite__Output } from '../../sluice/v1/Invite.ts';

export interface BulkCreateInvitesResponse {
  'results'?: (_sluice_v1_Invite)[];
}

export interface BulkCreateInvitesResponse__Output {
  'results': (_sluice_v1_Invite__Output)[];
}
