/**
 * Settings of the embedded Postgres, for a machine of two cores and little memory that also runs
 * the gateway and the worker. Durability is Postgres' default, and said aloud.
 */
export const POSTGRES_SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  // Few checkpoints: each makes the next write of every page a full one in the WAL. These builds
  // have no lz4, and pglz would cost more processor than it saves disk.
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  // A worker takes 15 and a command 2.
  max_connections: '100',
  // Statements are short; compiling them would cost more than it gives.
  jit: 'off',
  io_workers: '2',
  // A query over years of monthly partitions and their indexes locks each of them.
  max_locks_per_transaction: '256',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // No statement, no parameter and no detail of a row: they hold keys and properties.
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}
