import type { Command } from 'commander'
import type { GetStatusResponse__Output } from '../../proto/gen/sluice/v1/GetStatusResponse.ts'
import { createAdminClient } from './admin-client.ts'
import { commandConfig, print } from './command.ts'

/** `sluice status [--json]`: members, writer and dead letters, as one worker sees them. */
export function registerStatus(program: Command): void {
  program
    .command('status')
    .description('show members, shards, the ingest writer and dead letters')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const client = await createAdminClient(commandConfig())
      try {
        const status = (await client.call('GetStatus', {})) as GetStatusResponse__Output
        print(options.json === true ? JSON.stringify(status) : readable(status))
      } finally {
        client.close()
      }
    })
}

function readable(status: GetStatusResponse__Output): string {
  const { writer } = status
  const lines = [
    `sluice ${status.version}, cluster ${status.cluster_name}, database ${status.database}`,
    '',
    'member                                address                role        state    shards',
    ...status.members.map(
      ({ id, address, role, state, shards }) =>
        `${id.padEnd(37)} ${address.padEnd(22)} ${role.padEnd(11)} ${state.padEnd(8)} ${shards}`,
    ),
    '',
    `projects active   ${status.activations}`,
    `dead letters      ${status.dead_letters}`,
  ]
  if (writer !== null) {
    lines.push(
      `queued            ${writer.queued_events} events, ${writer.queued_bytes} bytes`,
      `since start       ${writer.stored_events} stored, ${writer.duplicate_events} duplicate, ` +
        `${writer.dead_letter_events} dead`,
      `oldest wait       ${Math.round(writer.oldest_wait_ms)} ms`,
    )
    if (writer.last_error !== '') lines.push(`last error        ${writer.last_error}`)
  }
  return lines.join('\n')
}
