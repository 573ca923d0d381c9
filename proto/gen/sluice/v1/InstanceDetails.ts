// From proto/sluice/v1/admin.proto

import type { OrganizationDetails as _sluice_v1_OrganizationDetails, OrganizationDetails__Output as _sluice_v1_OrganizationDetails__Output } from '../../sluice/v1/OrganizationDetails.ts';

export interface InstanceDetails {
  'users'?: (number);
  'organizations'?: (_sluice_v1_OrganizationDetails)[];
  'next'?: (string);
}

export interface InstanceDetails__Output {
  'users': (number);
  'organizations': (_sluice_v1_OrganizationDetails__Output)[];
  'next': (string);
}
