// From proto/sluice/v1/organizations.proto

import type { Organization as _sluice_v1_Organization, Organization__Output as _sluice_v1_Organization__Output } from '../../sluice/v1/Organization.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListOrganizationsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_Organization)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListOrganizationsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_Organization__Output)[];
}
