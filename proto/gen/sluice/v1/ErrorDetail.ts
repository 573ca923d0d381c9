// From proto/sluice/v1/common.proto


export interface ErrorDetail {
  'type'?: (string);
  'code'?: (string);
  'detail'?: (string);
  'attr'?: (string);
  'attr_absent'?: (boolean);
  'http_status'?: (number);
  'retry_after_s'?: (number);
  'owner_hint'?: (string);
  'reason'?: (string);
  '_attr'?: "attr";
}

export interface ErrorDetail__Output {
  'type': (string);
  'code': (string);
  'detail': (string);
  'attr'?: (string);
  'attr_absent': (boolean);
  'http_status': (number);
  'retry_after_s': (number);
  'owner_hint': (string);
  'reason': (string);
}
