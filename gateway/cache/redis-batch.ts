import { afterIo } from '../../src/core/clock.ts'
import { REDIS_BATCH_COMMANDS_MAX, REDIS_COMMAND_MS } from '../../src/core/limits/limits.ts'
import type { RedisAccess, RedisReplies } from './redis-access.ts'
import type { RedisCommand } from './redis-link.ts'

/** Collects the commands of one event loop tick and sends them together. */
export type RedisBatch = {
  /** Replies to these commands, as `RedisAccess.exec` answers them. Never rejects. */
  add(commands: readonly RedisCommand[]): Promise<RedisReplies | undefined>
}

type Asker = {
  readonly from: number
  readonly to: number
  resolve(replies: RedisReplies | undefined): void
}

export function createRedisBatch(access: Pick<RedisAccess, 'exec'>): RedisBatch {
  let commands: RedisCommand[] = []
  let askers: Asker[] = []
  let scheduled = false

  const send = async () => {
    const asked = askers
    const sent = commands
    askers = []
    commands = []
    const replies = await access.exec(sent, { budgetMs: REDIS_COMMAND_MS, strict: false })
    for (const { from, to, resolve } of asked) resolve(replies?.slice(from, to))
  }
  const onTurn = () => {
    scheduled = false
    if (askers.length > 0) void send()
  }

  return {
    add: (own) =>
      new Promise((resolve) => {
        if (commands.length + own.length > REDIS_BATCH_COMMANDS_MAX) void send()
        const from = commands.length
        commands.push(...own)
        askers.push({ from, to: commands.length, resolve })
        if (scheduled) return
        scheduled = true
        afterIo(onTurn)
      }),
  }
}
