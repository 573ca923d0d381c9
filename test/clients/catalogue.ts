/** The client libraries of the compatibility suite, with their versions. */

/** Features that a client may offer; the columns of docs/CLIENTS.md. */
export const FEATURES = [
  'capture',
  'batch',
  'identify',
  'alias',
  'groups',
  'flags',
  'payloads',
  'local evaluation',
  'session id',
] as const
export type Feature = (typeof FEATURES)[number]

/** Where a client runs, and so how its versions are installed. */
export type Home = 'node' | 'browser' | 'python'

export type Client = {
  /** Name of the package in its registry. */
  readonly name: string
  readonly home: Home
  /** Every `npm test` runs this one. */
  readonly newest: string
  /** `npm run test:clients` runs these too; oldest first. */
  readonly older: readonly string[]
  /** Features that no version of it offers. */
  readonly without: readonly Feature[]
}

const NO_FLAGS = ['flags', 'payloads', 'local evaluation'] as const

export const CLIENTS: readonly Client[] = [
  {
    name: 'posthog-node',
    home: 'node',
    newest: '5.70.0',
    older: [
      ...['1.0.0', '1.0.7', '1.1.3', '1.3.0', '2.0.1', '2.2.3', '2.6.0', '3.0.0', '3.6.3'],
      ...['4.0.1', '4.18.0', '5.0.0', '5.8.0', '5.24.0', '5.40.0'],
    ],
    without: ['session id'],
  },
  {
    name: 'posthog-js',
    home: 'browser',
    newest: '1.449.2',
    older: [
      ...['1.0.0', '1.7.2', '1.12.2', '1.13.12', '1.24.0', '1.50.0', '1.75.0', '1.100.0'],
      ...['1.150.0', '1.200.0', '1.234.11', '1.257.2', '1.300.0', '1.350.0', '1.400.0'],
    ],
    without: ['local evaluation'],
  },
  {
    name: 'posthog-js-lite',
    home: 'browser',
    newest: '4.12.1',
    older: ['2.0.0', '2.5.0', '3.0.0', '3.6.0', '4.1.0'],
    without: ['local evaluation'],
  },
  {
    name: 'posthog',
    home: 'python',
    newest: '7.53.0',
    older: [],
    without: ['session id'],
  },
  {
    name: 'mixpanel',
    home: 'node',
    newest: '0.24.0',
    older: ['0.10.3', '0.13.0', '0.18.1'],
    without: [...NO_FLAGS, 'session id'],
  },
  {
    name: 'mixpanel-browser',
    home: 'browser',
    newest: '2.83.0',
    older: ['2.22.4', '2.45.0', '2.72.0'],
    without: [...NO_FLAGS, 'session id'],
  },
  {
    name: '@segment/analytics-node',
    home: 'node',
    newest: '3.1.0',
    older: ['1.3.0', '2.3.0'],
    without: [...NO_FLAGS, 'session id'],
  },
  {
    name: 'analytics-node',
    home: 'node',
    newest: '6.2.0',
    older: ['3.5.0', '5.2.0'],
    without: [...NO_FLAGS, 'session id'],
  },
  {
    name: '@rudderstack/rudder-sdk-node',
    home: 'node',
    newest: '3.0.13',
    older: ['1.1.4', '2.1.11'],
    without: [...NO_FLAGS, 'session id'],
  },
  {
    name: '@openfeature/ofrep-provider',
    home: 'node',
    newest: '0.1.3',
    older: [],
    without: ['capture', 'batch', 'identify', 'alias', 'local evaluation', 'session id'],
  },
  {
    name: '@openfeature/ofrep-web-provider',
    home: 'node',
    newest: '0.4.3',
    older: ['0.3.6'],
    without: ['capture', 'batch', 'identify', 'alias', 'local evaluation', 'session id'],
  },
]

/** @throws {Error} for a name that is not in the catalogue. */
export function clientNamed(name: string): Client {
  const client = CLIENTS.find((each) => each.name === name)
  if (client === undefined) throw new Error(`no client ${name} in the catalogue`)
  return client
}

/** Name of a version in the manifests of `newest/` and `older/`. */
export function aliasOf(name: string, version: string): string {
  return `${name}--${version}`
}
