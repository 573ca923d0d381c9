// From proto/sluice/v1/organizations.proto


export interface OrganizationMetadata {
  'taxonomy_set_events_count'?: (number);
  'taxonomy_set_properties_count'?: (number);
  'instance_tag'?: (string);
  '_instance_tag'?: "instance_tag";
}

export interface OrganizationMetadata__Output {
  'taxonomy_set_events_count': (number);
  'taxonomy_set_properties_count': (number);
  'instance_tag'?: (string);
}
