/** Storage of a plugin: `meta.storage`, and the counters of `meta.utils.cursor`. */

import type { Json } from '../../core/json.ts'
import {
  PLUGIN_KEY_CHARS_MAX,
  PLUGIN_STORAGE_VALUE_BYTES_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { Db } from '../../postgres/db.ts'
import type { PluginCursor, PluginStorage } from '../../project/plugin-ports.ts'
import { CONFIG_GONE, forPlugin, storableJson, storableName } from './plugin-problems.ts'

/** Storage of one config: keys. */
export const PLUGIN_STORAGE_KEYS_MAX = 10_000

/** Every write looks for room first; those that run at once may overshoot by their number. */
export function createPluginStorage(db: Db, configId: number): PluginStorage {
  return {
    async get(key) {
      const [row] = await forPlugin(db<{ value: Json }[]>`
        select value from plugin_storage
        where plugin_config_id = ${configId} and key = ${keyOf(key)}`)
      return row?.value
    },
    async set(key, value) {
      const name = keyOf(key)
      const text = storableJson('The value', value, PLUGIN_STORAGE_VALUE_BYTES_MAX)
      await replace(db, 'plugin_storage', { configId, name, value: db`${text}::text::json` })
    },
    async del(key) {
      await forPlugin(db`
        delete from plugin_storage where plugin_config_id = ${configId} and key = ${keyOf(key)}`)
    },
  }
}

type Written = { readonly there: boolean; readonly written: boolean }

/** Numbers are whole, and stay exact up to 2^53. One that was never set counts from 0. */
export function createPluginCursors(db: Db, configId: number): PluginCursor {
  return {
    async init(key, value) {
      const name = keyOf(key)
      const whole = wholeOf(value)
      await replace(db, 'plugin_cursors', { configId, name, value: db`${whole}::text::bigint` })
    },
    async increment(key, by) {
      const name = keyOf(key)
      const whole = wholeOf(by)
      const [row] = await forPlugin(db<(Written & { value: string | null })[]>`
        with config as (
          select id from plugin_configs where id = ${configId}
        ), written as (
          insert into plugin_cursors as c (plugin_config_id, key, value)
          select id, ${name}, ${whole}::text::bigint from config
          where ${hasRoom(db, 'plugin_cursors', configId, name)}
          on conflict (plugin_config_id, key) do update set value = c.value + excluded.value
          returning value
        )
        select exists (select from config) as there, exists (select from written) as written,
          (select value::text from written) as value`)
      requireWritten(row)
      return Number(row?.value)
    },
  }
}

type Table = 'plugin_storage' | 'plugin_cursors'

async function replace(
  db: Db,
  table: Table,
  row: { configId: number; name: string; value: ReturnType<Db> },
): Promise<void> {
  const { configId, name, value } = row
  const [done] = await forPlugin(db<Written[]>`
    with config as (
      select id from plugin_configs where id = ${configId}
    ), written as (
      insert into ${db(table)} (plugin_config_id, key, value)
      select id, ${name}, ${value} from config
      where ${hasRoom(db, table, configId, name)}
      on conflict (plugin_config_id, key) do update set value = excluded.value returning 1
    )
    select exists (select from config) as there, exists (select from written) as written`)
  requireWritten(done)
}

function hasRoom(db: Db, table: Table, configId: number, key: string) {
  return db`(
    exists (
      select from ${db(table)} where plugin_config_id = ${configId} and key = ${key}
    ) or (
      select count(*) from (
        select from ${db(table)} where plugin_config_id = ${configId}
        limit ${PLUGIN_STORAGE_KEYS_MAX}
      ) as kept
    ) < ${PLUGIN_STORAGE_KEYS_MAX}
  )`
}

function requireWritten(row: Written | undefined): void {
  if (row?.there !== true) throw new Error(CONFIG_GONE)
  if (!row.written) {
    throw new Error(`A plugin config keeps at most ${PLUGIN_STORAGE_KEYS_MAX} keys.`)
  }
}

function keyOf(key: string): string {
  return storableName('The key', key, PLUGIN_KEY_CHARS_MAX)
}

function wholeOf(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error('A cursor takes whole numbers.')
  return String(value)
}
