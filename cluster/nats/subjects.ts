/**
 * The names that a cluster uses in NATS. A cluster's name consists of letters, digits, `-` and `_`
 * (`src/core/config/config-parsers.ts`), which streams, buckets and subjects all allow. Names
 * differ in how they end, so that no two clusters share one. Subjects begin with `sluice`, because
 * a cluster may be called `_INBOX`.
 */
export type ClusterSubjects = {
  /** Bucket of the members' keys. */
  readonly membersBucket: string
  /** Bucket of settings that all members must agree on; its keys do not age. */
  readonly settingsBucket: string
  /** Stream of batches that Postgres did not take, and the subject that it listens to. */
  readonly spillStream: string
  readonly spillSubject: string
  /** Durable consumer of that stream: all workers share it. */
  readonly spillConsumer: string
}

export function clusterSubjects(clusterName: string): ClusterSubjects {
  return {
    membersBucket: `${clusterName}_members`,
    settingsBucket: `${clusterName}_settings`,
    spillStream: `${clusterName}_spill`,
    spillSubject: `sluice.${clusterName}.spill`,
    spillConsumer: `${clusterName}_drainer`,
  }
}
