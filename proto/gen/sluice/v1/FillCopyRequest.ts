// From proto/sluice/v1/admin.proto


export interface FillCopyRequest {
  'months'?: (string)[];
  'accept_loss'?: (boolean);
}

export interface FillCopyRequest__Output {
  'months': (string)[];
  'accept_loss': (boolean);
}
