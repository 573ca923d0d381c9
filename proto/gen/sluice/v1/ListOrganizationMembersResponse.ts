// From proto/sluice/v1/members.proto

import type { OrganizationMember as _sluice_v1_OrganizationMember, OrganizationMember__Output as _sluice_v1_OrganizationMember__Output } from '../../sluice/v1/OrganizationMember.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListOrganizationMembersResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_OrganizationMember)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListOrganizationMembersResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_OrganizationMember__Output)[];
}
