// From proto/sluice/v1/ingest.proto


export interface IngestOutcome {
  'code'?: (string);
  'retry_after_s'?: (number);
  'reason'?: (string);
}

export interface IngestOutcome__Output {
  'code': (string);
  'retry_after_s': (number);
  'reason': (string);
}
