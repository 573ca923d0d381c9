// From proto/sluice/v1/plugins.proto

import type { Plugin as _sluice_v1_Plugin, Plugin__Output as _sluice_v1_Plugin__Output } from '../../sluice/v1/Plugin.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListPluginsResponse {
  'count'?: (number | string | Long);
  'next'?: (string);
  'previous'?: (string);
  'results'?: (_sluice_v1_Plugin)[];
  '_next'?: "next";
  '_previous'?: "previous";
}

export interface ListPluginsResponse__Output {
  'count': (number);
  'next'?: (string);
  'previous'?: (string);
  'results': (_sluice_v1_Plugin__Output)[];
}
