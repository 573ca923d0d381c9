/**
 * A folder with one duty. A room looks downward only: it uses rooms that come before it in this
 * list.
 */
export type Room = {
  readonly name: string
  /** Its path from the root of the repository. */
  readonly path: string
  /** Its duty in a few words. */
  readonly purpose: string
  /** The rooms that it may import. Each of them must be imported. */
  readonly uses: readonly string[]
}

/**
 * The rooms from the ground up. `test/tidy.test.ts` compares the imports with them, and `npm run
 * gen` draws them into `docs/ARCHITECTURE.md`.
 */
export const ROOMS: readonly Room[] = [
  {
    name: 'core',
    path: 'src/core',
    purpose: 'Clock, settings, limits, log, metrics, errors',
    uses: [],
  },
  {
    name: 'proto',
    path: 'proto',
    purpose: 'The contract of all calls, and the types made of it',
    uses: [],
  },
  {
    name: 'wire',
    path: 'src/wire',
    purpose: 'Rules of the contract at run time; error bodies',
    uses: ['core'],
  },
  {
    name: 'conditions',
    path: 'src/conditions',
    purpose: 'Meaning of a condition on a property: parse, check, decide',
    uses: ['core'],
  },
  {
    name: 'events',
    path: 'src/events',
    purpose: 'Events as both sides know them: dialects, rules, codec',
    uses: ['core', 'conditions'],
  },
  {
    name: 'flags',
    path: 'src/flags',
    purpose: 'Compiles flags and decides their outcomes',
    uses: ['core', 'conditions'],
  },
  {
    name: 'persons',
    path: 'src/persons',
    purpose: 'Plans what a batch of events changes in persons',
    uses: ['core', 'events'],
  },
  {
    name: 'actor',
    path: 'src/actor',
    purpose: 'Runs the calls of one key in turn; ends idle actors',
    uses: ['core'],
  },
  {
    name: 'cluster',
    path: 'cluster',
    purpose: 'Who is a member, who owns a shard; NATS',
    uses: ['core', 'wire'],
  },
  {
    name: 'ingest',
    path: 'src/ingest',
    purpose: 'Queues, flushes and retries events; spills them',
    uses: ['core', 'events'],
  },
  {
    name: 'project',
    path: 'src/project',
    purpose: 'The actor of a project: state, changes and decides',
    uses: ['core', 'wire', 'events', 'flags', 'actor'],
  },
  {
    name: 'postgres',
    path: 'src/postgres',
    purpose: 'Connections, transactions, migrations, SQLSTATE',
    uses: ['core', 'wire', 'persons', 'ingest'],
  },
  {
    name: 'embedded',
    path: 'src/embedded',
    purpose: 'The Postgres that comes with the product',
    uses: ['core', 'postgres'],
  },
  {
    name: 'clickhouse',
    path: 'src/clickhouse',
    purpose: 'Client of ClickHouse: schema, blocks, errors',
    uses: ['core', 'events'],
  },
  {
    name: 'store',
    path: 'src/store',
    purpose: 'Projects, people, plugins, saved things; no events',
    uses: [
      'core',
      'wire',
      'conditions',
      'events',
      'flags',
      'cluster',
      'ingest',
      'project',
      'postgres',
    ],
  },
  {
    name: 'event-store',
    path: 'src/event-store',
    purpose: 'Events and persons, in Postgres or ClickHouse',
    uses: ['core', 'conditions', 'events', 'persons', 'ingest', 'postgres', 'clickhouse', 'store'],
  },
  {
    name: 'replication',
    path: 'src/replication',
    purpose: 'Outbox to ClickHouse; the move of an instance',
    uses: ['core', 'events', 'ingest', 'postgres', 'clickhouse', 'store', 'event-store'],
  },
  {
    name: 'privacy',
    path: 'src/privacy',
    purpose: 'Deletions, retention, export, removed projects',
    uses: ['core', 'events', 'postgres', 'clickhouse', 'store', 'event-store'],
  },
  {
    name: 'backup',
    path: 'src/backup',
    purpose: 'Backup and restore',
    uses: ['core', 'postgres', 'clickhouse', 'event-store', 'replication'],
  },
  {
    name: 'query',
    path: 'src/query',
    purpose: 'Lists and tables of events, and their language',
    uses: ['core', 'wire', 'conditions', 'events', 'postgres', 'store', 'event-store', 'privacy'],
  },
  {
    name: 'mail',
    path: 'src/mail',
    purpose: 'Words mails and sends them',
    uses: ['core', 'postgres', 'store'],
  },
  {
    name: 'access',
    path: 'src/access',
    purpose: 'Users, keys and roles: who may make which call',
    uses: ['core', 'wire', 'postgres', 'store'],
  },
  {
    name: 'plugins',
    path: 'src/plugins',
    purpose: 'Runs plugins: sandboxes, deliveries, jobs, settings',
    uses: ['core', 'wire', 'events', 'project', 'postgres', 'store', 'mail'],
  },
  {
    name: 'manage',
    path: 'src/manage',
    purpose: 'The calls of the management interface',
    uses: [
      'core',
      'proto',
      'wire',
      'conditions',
      'events',
      'flags',
      'cluster',
      'project',
      'postgres',
      'store',
      'event-store',
      'privacy',
      'query',
      'mail',
      'access',
      'plugins',
    ],
  },
  {
    name: 'rpc',
    path: 'src/rpc',
    purpose: 'gRPC: calls of gateways, of members and of operators',
    uses: [
      'core',
      'proto',
      'wire',
      'events',
      'flags',
      'cluster',
      'ingest',
      'project',
      'postgres',
      'store',
      'event-store',
      'replication',
      'access',
    ],
  },
  {
    name: 'worker',
    path: 'src/worker',
    purpose: 'Puts the parts of a worker together',
    uses: [
      'core',
      'proto',
      'wire',
      'events',
      'actor',
      'cluster',
      'ingest',
      'project',
      'postgres',
      'clickhouse',
      'store',
      'event-store',
      'replication',
      'privacy',
      'query',
      'mail',
      'access',
      'plugins',
      'manage',
      'rpc',
    ],
  },
  {
    name: 'client',
    path: 'gateway/client',
    purpose: 'The typed client of the interface, generated',
    uses: [],
  },
  {
    name: 'console',
    path: 'gateway/console',
    purpose: 'The web page that every gateway serves',
    uses: ['core', 'client'],
  },
  {
    name: 'gateway',
    path: 'gateway',
    purpose: 'Turns HTTP into calls of workers; holds only caches',
    uses: ['core', 'proto', 'wire', 'events', 'cluster'],
  },
  {
    name: 'bench',
    path: 'bench',
    purpose: 'Measures the product and its parts',
    uses: [
      'core',
      'wire',
      'events',
      'ingest',
      'postgres',
      'embedded',
      'clickhouse',
      'event-store',
      'replication',
      'query',
      'gateway',
    ],
  },
  {
    name: 'cli',
    path: 'src/cli',
    purpose: 'The commands; starts gateways and workers',
    uses: [
      'core',
      'proto',
      'wire',
      'events',
      'cluster',
      'project',
      'postgres',
      'embedded',
      'clickhouse',
      'store',
      'event-store',
      'replication',
      'backup',
      'mail',
      'access',
      'plugins',
      'manage',
      'rpc',
      'worker',
      'client',
      'gateway',
      'bench',
    ],
  },
]

/** The room of a file. */
export function roomOf(path: string): Room | undefined {
  return ROOMS.find((room) => path.startsWith(`${room.path}/`))
}
