// From proto/sluice/v1/admin.proto


export interface Member {
  'id'?: (string);
  'address'?: (string);
  'role'?: (string);
  'state'?: (string);
  'shards'?: (number);
  'version'?: (string);
}

export interface Member__Output {
  'id': (string);
  'address': (string);
  'role': (string);
  'state': (string);
  'shards': (number);
  'version': (string);
}
