// From proto/sluice/v1/ingest.proto

import type { CaptureRequest as _sluice_v1_CaptureRequest, CaptureRequest__Output as _sluice_v1_CaptureRequest__Output } from '../../sluice/v1/CaptureRequest.ts';

export interface CaptureBatchRequest {
  'batch'?: (_sluice_v1_CaptureRequest)[];
}

export interface CaptureBatchRequest__Output {
  'batch': (_sluice_v1_CaptureRequest__Output)[];
}
