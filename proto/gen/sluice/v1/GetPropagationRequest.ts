// From proto/sluice/v1/flag_teams.proto

import type { Long } from '@grpc/proto-loader';

export interface GetPropagationRequest {
  'revision'?: (number | string | Long);
  'wait_ms'?: (number);
  'project_id'?: (string);
  '_revision'?: "revision";
  '_wait_ms'?: "wait_ms";
}

export interface GetPropagationRequest__Output {
  'revision'?: (number);
  'wait_ms'?: (number);
  'project_id': (string);
}
