// From proto/sluice/v1/admin.proto

import type { ProjectDetails as _sluice_v1_ProjectDetails, ProjectDetails__Output as _sluice_v1_ProjectDetails__Output } from '../../sluice/v1/ProjectDetails.ts';

export interface OrganizationDetails {
  'id'?: (string);
  'name'?: (string);
  'owner_email'?: (string);
  'projects'?: (_sluice_v1_ProjectDetails)[];
  '_owner_email'?: "owner_email";
}

export interface OrganizationDetails__Output {
  'id': (string);
  'name': (string);
  'owner_email'?: (string);
  'projects': (_sluice_v1_ProjectDetails__Output)[];
}
