// From proto/sluice/v1/ingest.proto

export const MergeKind = {
  MERGE_KIND_NONE: 'MERGE_KIND_NONE',
  MERGE_KIND_IDENTIFY: 'MERGE_KIND_IDENTIFY',
  MERGE_KIND_ALIAS: 'MERGE_KIND_ALIAS',
  MERGE_KIND_DANGEROUSLY: 'MERGE_KIND_DANGEROUSLY',
} as const;

export type MergeKind =
  | 'MERGE_KIND_NONE'
  | 0
  | 'MERGE_KIND_IDENTIFY'
  | 1
  | 'MERGE_KIND_ALIAS'
  | 2
  | 'MERGE_KIND_DANGEROUSLY'
  | 3

export type MergeKind__Output = typeof MergeKind[keyof typeof MergeKind]
