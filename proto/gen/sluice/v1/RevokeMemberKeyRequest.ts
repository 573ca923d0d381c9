// From proto/sluice/v1/members.proto


export interface RevokeMemberKeyRequest {
  'organization_id'?: (string);
  'user'?: (string);
  'id'?: (string);
}

export interface RevokeMemberKeyRequest__Output {
  'organization_id': (string);
  'user': (string);
  'id': (string);
}
