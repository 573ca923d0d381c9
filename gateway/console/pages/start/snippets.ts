/** How an app sends its first event. `test/unit/console/snippets.test.ts` holds them to those that run. */

export type Snippet = {
  readonly id: string
  readonly name: string
  /** Shell command that installs the library. */
  readonly install?: string
  readonly text: string
}

/** @param host address of the server as a browser sees it. @param key of the project, public. */
export function snippetsOf(host: string, key: string): readonly Snippet[] {
  const site = quoted(host)
  const token = quoted(key)
  const body = { api_key: key, event: 'order placed', distinct_id: 'user-1' }
  return [
    { id: 'html', name: 'Web page', text: page(host, key) },
    {
      id: 'js',
      name: 'JavaScript',
      install: 'npm install posthog-js',
      text: `import posthog from 'posthog-js'

posthog.init(${token}, { api_host: ${site} })
posthog.identify('user-1', { plan: 'pro' })
posthog.capture('order placed', { total: 12.5 })`,
    },
    {
      id: 'node',
      name: 'Node',
      install: 'npm install posthog-node',
      text: `import { PostHog } from 'posthog-node'

const posthog = new PostHog(${token}, { host: ${site} })

posthog.identify({ distinctId: 'user-1', properties: { plan: 'pro' } })
posthog.capture({ distinctId: 'user-1', event: 'order placed', properties: { total: 12.5 } })
await posthog.shutdown()`,
    },
    {
      id: 'python',
      name: 'Python',
      install: 'pip install posthog',
      text: `from posthog import Posthog

posthog = Posthog(${quoted(key, '"')}, host=${quoted(host, '"')})

posthog.set(distinct_id="user-1", properties={"plan": "pro"})
posthog.capture("order placed", distinct_id="user-1", properties={"total": 12.5})
posthog.shutdown()`,
    },
    {
      id: 'segment',
      name: 'Segment',
      install: 'npm install @segment/analytics-node',
      text: `import { Analytics } from '@segment/analytics-node'

const analytics = new Analytics({
  writeKey: ${token},
  host: ${site},
})

analytics.identify({ userId: 'user-1', traits: { plan: 'pro' } })
analytics.track({ userId: 'user-1', event: 'order placed', properties: { total: 12.5 } })
await analytics.closeAndFlush()`,
    },
    {
      id: 'curl',
      name: 'curl',
      text: `curl ${forShell(`${host}/capture/`)} \\
  -H 'Content-Type: application/json' \\
  -d ${forShell(JSON.stringify(body))}`,
    },
  ]
}

/** Snippet for the end of the head. The script starts the library that it contains. */
function page(host: string, key: string): string {
  const source = forAttribute(`${host}/static/sluice.js`)
  return `<script defer src=${source} data-key=${forAttribute(key)}></script>`
}

function forAttribute(text: string): string {
  return `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`
}

/** A key that an operator has chosen may hold any printable character. */
function quoted(text: string, mark: '"' | "'" = "'"): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`)
  return mark + safe.replaceAll('</', '<\\/') + mark
}

function forShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
