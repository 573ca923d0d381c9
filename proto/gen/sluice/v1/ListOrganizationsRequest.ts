// From proto/sluice/v1/organizations.proto


export interface ListOrganizationsRequest {
  'limit'?: (number);
  'offset'?: (number);
}

export interface ListOrganizationsRequest__Output {
  'limit': (number);
  'offset': (number);
}
