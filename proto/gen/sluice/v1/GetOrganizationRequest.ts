// From proto/sluice/v1/organizations.proto


export interface GetOrganizationRequest {
  'id'?: (string);
}

export interface GetOrganizationRequest__Output {
  'id': (string);
}
