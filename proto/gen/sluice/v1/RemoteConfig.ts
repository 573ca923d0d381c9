// From proto/sluice/v1/feature_flags.proto


export interface RemoteConfig {
  'payload'?: (string);
}

export interface RemoteConfig__Output {
  'payload': (string);
}
