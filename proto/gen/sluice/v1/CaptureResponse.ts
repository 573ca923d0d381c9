// From proto/sluice/v1/ingest.proto


export interface CaptureResponse {
  'status'?: (number);
  'accepted'?: (number);
  'dropped'?: (number);
}

export interface CaptureResponse__Output {
  'status': (number);
  'accepted': (number);
  'dropped': (number);
}
