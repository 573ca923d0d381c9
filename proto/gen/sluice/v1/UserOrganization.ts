// From proto/sluice/v1/users.proto


export interface UserOrganization {
  'id'?: (string);
  'name'?: (string);
  'slug'?: (string);
  'membership_level'?: (number);
}

export interface UserOrganization__Output {
  'id': (string);
  'name': (string);
  'slug': (string);
  'membership_level': (number);
}
