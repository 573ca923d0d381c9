// From proto/sluice/v1/directory.proto

export const KeyKind = {
  KEY_KIND_UNKNOWN: 'KEY_KIND_UNKNOWN',
  KEY_KIND_PROJECT: 'KEY_KIND_PROJECT',
  KEY_KIND_INVALID_PERSONAL: 'KEY_KIND_INVALID_PERSONAL',
} as const;

export type KeyKind =
  | 'KEY_KIND_UNKNOWN'
  | 0
  | 'KEY_KIND_PROJECT'
  | 1
  | 'KEY_KIND_INVALID_PERSONAL'
  | 2

export type KeyKind__Output = typeof KeyKind[keyof typeof KeyKind]
