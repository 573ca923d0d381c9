// From proto/sluice/v1/organizations.proto

import type { ProjectSummary as _sluice_v1_ProjectSummary, ProjectSummary__Output as _sluice_v1_ProjectSummary__Output } from '../../sluice/v1/ProjectSummary.ts';
import type { OrganizationMetadata as _sluice_v1_OrganizationMetadata, OrganizationMetadata__Output as _sluice_v1_OrganizationMetadata__Output } from '../../sluice/v1/OrganizationMetadata.ts';

export interface Organization {
  'id'?: (string);
  'name'?: (string);
  'slug'?: (string);
  'created_at'?: (string);
  'updated_at'?: (string);
  'membership_level'?: (number);
  'plugins_access_level'?: (number);
  'teams'?: (_sluice_v1_ProjectSummary)[];
  'available_features'?: (string)[];
  'is_member_join_email_enabled'?: (boolean);
  'metadata'?: (_sluice_v1_OrganizationMetadata | null);
  'customer_id'?: (string);
  '_membership_level'?: "membership_level";
  '_customer_id'?: "customer_id";
}

export interface Organization__Output {
  'id': (string);
  'name': (string);
  'slug': (string);
  'created_at': (string);
  'updated_at': (string);
  'membership_level'?: (number);
  'plugins_access_level': (number);
  'teams': (_sluice_v1_ProjectSummary__Output)[];
  'available_features': (string)[];
  'is_member_join_email_enabled': (boolean);
  'metadata': (_sluice_v1_OrganizationMetadata__Output | null);
  'customer_id'?: (string);
}
