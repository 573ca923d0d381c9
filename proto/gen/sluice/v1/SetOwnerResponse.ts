// From proto/sluice/v1/admin.proto


export interface SetOwnerResponse {
  'organization_id'?: (string);
  'owner'?: (string);
  'owner_before'?: (string);
  '_owner_before'?: "owner_before";
}

export interface SetOwnerResponse__Output {
  'organization_id': (string);
  'owner': (string);
  'owner_before'?: (string);
}
