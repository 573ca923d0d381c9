// From proto/sluice/v1/admin.proto


export interface KeepEventsRequest {
  'keepers'?: (string);
}

export interface KeepEventsRequest__Output {
  'keepers': (string);
}
