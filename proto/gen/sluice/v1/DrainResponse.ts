// From proto/sluice/v1/admin.proto


export interface DrainResponse {
  'member_id'?: (string);
  'address'?: (string);
  'released'?: (number);
}

export interface DrainResponse__Output {
  'member_id': (string);
  'address': (string);
  'released': (number);
}
