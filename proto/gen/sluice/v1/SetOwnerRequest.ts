// From proto/sluice/v1/admin.proto


export interface SetOwnerRequest {
  'organization_id'?: (string);
  'user'?: (string);
}

export interface SetOwnerRequest__Output {
  'organization_id': (string);
  'user': (string);
}
