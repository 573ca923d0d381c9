/** Writes the files of a new plugin. */

/**
 * The files of a new plugin, name to text: a working module that shows the features, its manifest,
 * events to try, and instructions.
 */
export function scaffoldPlugin(name: string): ReadonlyMap<string, string> {
  return new Map([
    ['index.ts', INDEX],
    ['plugin.json', `${JSON.stringify({ name, ...MANIFEST }, null, 2)}\n`],
    ['events.json', `${JSON.stringify(EVENTS, null, 2)}\n`],
    ['README.md', readme(name)],
  ])
}

const MANIFEST = {
  description: 'Marks the events of your own people, and drops those of one kind.',
  config: [
    {
      key: 'domain',
      name: 'Domain of your own people',
      type: 'string',
      default: 'example.com',
      required: true,
    },
    {
      key: 'dropped',
      name: 'Events to drop',
      type: 'string',
      hint: 'Names, with commas between them.',
    },
  ],
}

const EVENTS = [
  {
    event: '$pageview',
    distinct_id: 'ann@example.com',
    timestamp: '2026-05-01T12:00:00.000Z',
    properties: { $current_url: 'https://shop.example.com/', $ip: '192.0.2.1' },
  },
  {
    event: 'order completed',
    distinct_id: 'ben@customer.example',
    timestamp: '2026-05-01T12:00:05.000Z',
    properties: { $revenue: 20, $currency: 'EUR' },
  },
  {
    event: 'heartbeat',
    distinct_id: 'ben@customer.example',
    timestamp: '2026-05-01T12:00:06.000Z',
    properties: {},
  },
]

const INDEX = `/** Marks the events of one's own people, and drops those of one kind. */

type PluginEvent = {
  uuid: string
  event: string
  distinct_id: string
  properties: { [name: string]: unknown }
  timestamp: string
}

type Meta = {
  /** The settings, as plugin.json declares them. Those that nobody has set are not there. */
  readonly config: { readonly [setting: string]: string | undefined }
  /** Scratch space of this instance. */
  readonly global: { dropped?: ReadonlySet<string> }
}

/** Called once before anything else. What it throws disables the plugin. */
export function setupPlugin({ config, global }: Meta): void {
  const names = (config['dropped'] ?? 'heartbeat').split(',').map((name) => name.trim())
  global.dropped = new Set(names)
  console.log(\`drops \${[...global.dropped].join(', ')}\`)
}

/** Called for every event before it is stored: return it to keep it, or null to drop it. */
export function processEvent(event: PluginEvent, { config, global }: Meta): PluginEvent | null {
  if (global.dropped?.has(event.event)) return null
  const domain = config['domain'] ?? 'example.com'
  event.properties['is_internal'] = event.distinct_id.endsWith(\`@\${domain}\`)
  return event
}
`

function readme(name: string): string {
  return `# ${name}

What it does, in a sentence.

\`\`\`sh
sluice plugin test .        # takes events.json through it, on this machine

export SLUICE_API_KEY=phx_...
sluice plugin install . --url http://127.0.0.1:8000 --organization @current \\
  --project 1 --enable
\`\`\`

| File | Holds |
| --- | --- |
| \`index.ts\` | The plugin. One file: it imports nothing of yours. |
| \`plugin.json\` | Its name, and the settings that people see. |
| \`events.json\` | Events to try it on; what the list of events answers works as well. |
`
}
