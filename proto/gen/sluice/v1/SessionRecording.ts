// From proto/sluice/v1/directory.proto


export interface SessionRecording {
  'console_log'?: (boolean);
  'domains'?: (string)[];
}

export interface SessionRecording__Output {
  'console_log': (boolean);
  'domains': (string)[];
}
