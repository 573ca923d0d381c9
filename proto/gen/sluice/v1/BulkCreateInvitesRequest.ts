// From proto/sluice/v1/invites.proto

import type { NewInvite as _sluice_v1_NewInvite, NewInvite__Output as _sluice_v1_NewInvite__Output } from '../../sluice/v1/NewInvite.ts';

export interface BulkCreateInvitesRequest {
  'invites'?: (_sluice_v1_NewInvite)[];
  'parent_lookup_organization_id'?: (string);
}

export interface BulkCreateInvitesRequest__Output {
  'invites': (_sluice_v1_NewInvite__Output)[];
  'parent_lookup_organization_id': (string);
}
