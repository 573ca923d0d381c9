// From proto/sluice/v1/micro_batches.proto


export interface ReadCall {
  'method'?: (string);
  'metadata'?: ({[key: string]: string});
  'request'?: (Buffer | Uint8Array | string);
}

export interface ReadCall__Output {
  'method': (string);
  'metadata': ({[key: string]: string});
  'request': (Buffer);
}
