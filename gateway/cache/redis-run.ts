/** The run of a server, or why the server must not be used. */
export type RedisRun = { readonly run: string; readonly reason: string }

/**
 * Reads the answer to INFO. The run id changes with every restart and failover: the data may then
 * be older than acknowledged deletions. A replica may be behind them at any time, so it is refused.
 */
export function readRun(info: unknown): RedisRun {
  if (typeof info !== 'string') return { run: '', reason: 'INFO is refused' }
  if (field(info, 'loading') === '1') return { run: '', reason: 'it is loading its data' }
  const role = field(info, 'role')
  if (role !== 'master') return { run: '', reason: `it is a ${role || 'server without a role'}` }
  const run = field(info, 'run_id')
  return run === '' ? { run, reason: 'INFO names no run' } : { run, reason: '' }
}

function field(info: string, name: string): string {
  return new RegExp(`^${name}:(\\S+)\\s*$`, 'm').exec(info)?.[1] ?? ''
}
