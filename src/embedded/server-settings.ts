/**
 * Settings of the embedded Postgres, for a machine of two cores and little memory that also runs
 * the gateway and the worker. Durability is Postgres's default, and set explicitly.
 */
export const POSTGRES_SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  // Few checkpoints: after each, the first write of every page goes whole into the WAL. These
  // builds have no lz4, and pglz would cost more processor time than it saves disk.
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  // A worker uses 15 and a command 2.
  max_connections: '100',
  // Statements are short, and compiling them would cost more than it saves.
  jit: 'off',
  io_workers: '2',
  // A query over years of monthly partitions locks each of them and its indexes.
  max_locks_per_transaction: '256',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Statements, parameters and details of rows are left out, because they have keys and properties.
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}
