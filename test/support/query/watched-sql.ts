/** A pool whose statements a test observes, and may fail. */
import type { Sql } from '../../../src/postgres/connect.ts'
import type { Db } from '../../../src/postgres/db.ts'

/** @param see told each statement with text of its own; what it throws fails the statement. */
export function watchedSql(sql: Sql, see: (text: string) => void): Sql {
  const watched = (tx: Db): Db =>
    new Proxy(tx, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name)
        if (name !== 'unsafe') return own
        return async (...args: Parameters<Db['unsafe']>) => {
          see(args[0])
          return await target.unsafe(...args)
        }
      },
    })
  return new Proxy(sql, {
    get(target, name) {
      if (name === 'withSignal')
        return (signal: AbortSignal) => watchedSql(target.withSignal(signal), see)
      if (name === 'begin') {
        return (mode: string, work: (tx: Db) => Promise<unknown>) =>
          target.begin(mode, (tx) => work(watched(tx)))
      }
      return Reflect.get(target, name)
    },
  })
}
