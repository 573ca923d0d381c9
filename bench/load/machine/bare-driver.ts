/** The plain Postgres driver, without our pool. */
import postgres from 'postgres'
import { parseConnectionUrl } from '../../../src/postgres/connection-url.ts'

export type BareDriver = postgres.Sql<{ bigint: bigint }>

/** The plain driver, for functions that our pools lack and for comparisons with them. */
export function openBareDriver(url: string, connectionsMax: number): BareDriver {
  return postgres({
    ...placeOf(url),
    max: connectionsMax,
    types: { bigint: postgres.BigInt },
    onnotice: () => {
      // Our pools only log these too.
    },
  })
}

/** The place of a database as a driver takes it. `path` is a Unix socket. */
function placeOf(url: string) {
  const { endpoints, user, password, database } = parseConnectionUrl(url)
  const [endpoint] = endpoints
  const place =
    endpoint?.kind === 'unix'
      ? { host: 'localhost', port: 5432, path: endpoint.path }
      : { host: endpoint?.host ?? '', port: endpoint?.port ?? 0, path: undefined }
  return { ...place, user, password, database }
}
