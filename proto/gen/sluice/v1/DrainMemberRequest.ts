// From proto/sluice/v1/operations.proto


export interface DrainMemberRequest {
  'member'?: (string);
  'address'?: (string);
  'dry_run'?: (boolean);
  '_member'?: "member";
  '_address'?: "address";
}

export interface DrainMemberRequest__Output {
  'member'?: (string);
  'address'?: (string);
  'dry_run': (boolean);
}
