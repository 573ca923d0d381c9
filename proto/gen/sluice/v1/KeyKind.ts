// From proto/sluice/v1/directory.proto

export const KeyKind = {
  KEY_KIND_UNKNOWN: 'KEY_KIND_UNKNOWN',
  KEY_KIND_PROJECT: 'KEY_KIND_PROJECT',
  KEY_KIND_INVALID_PERSONAL: 'KEY_KIND_INVALID_PERSONAL',
  KEY_KIND_UNDETERMINED: 'KEY_KIND_UNDETERMINED',
} as const;

export type KeyKind =
  | 'KEY_KIND_UNKNOWN'
  | 0
  | 'KEY_KIND_PROJECT'
  | 1
  | 'KEY_KIND_INVALID_PERSONAL'
  | 2
  | 'KEY_KIND_UNDETERMINED'
  | 3

export type KeyKind__Output = typeof KeyKind[keyof typeof KeyKind]
