/** Statements of docs/CLIENTS.md about a client besides its marks. */
export type Documented = {
  readonly title: string
  /** Files of `snippets/`; each is run by a test. */
  readonly snippets: readonly string[]
  /** Notes for users of this client, a sentence each. */
  readonly notes: readonly string[]
}

export const DOCUMENTED: Readonly<Record<string, Documented>> = {
  'posthog-node': {
    title: 'posthog-node',
    snippets: ['posthog-node.mjs'],
    notes: [
      'From 5.68 `POSTHOG_CAPTURE_MODE=v1` makes it use the newer capture protocol, which Sluice takes too.',
      'Versions before 3.6 send events without ids: an event that they retry after a lost answer is stored twice.',
      '1.1 to 1.3 evaluate simple flags themselves and read the rollout under a wrong name, so every rollout above 0 % counts as 100 %.',
      '5.70 sends fewer events a request after a 413, until you make a new client. An event of more than 1 MB is dropped with an `error`, and from then on each request has one event.',
    ],
  },
  'posthog-js': {
    title: 'posthog-js',
    snippets: ['sluice-js.html', 'posthog-js.html', 'posthog-js.mjs'],
    notes: [
      '`/static/sluice.js` is posthog-js with its `init`: it sends page views and clicks, and asks for flags. `data-options` of the tag has options of `posthog.init` as JSON, such as `{"autocapture": false}`.',
      'The longer snippet keeps calls that a page makes before the library is loaded.',
    ],
  },
  'posthog-js-lite': {
    title: 'posthog-js-lite',
    snippets: ['posthog-js-lite.mjs'],
    notes: [
      '2.4 and 2.5 cannot read the answers to their default requests, treat them as failures, and send everything four times, which is stored four times. With `captureMode: "json"` they send it once; the other marks are of that mode.',
    ],
  },
  posthog: {
    title: 'posthog (Python)',
    snippets: ['posthog-python.py'],
    notes: [],
  },
  mixpanel: {
    title: 'mixpanel (Node)',
    snippets: ['mixpanel.mjs'],
    notes: [
      'Without `verbose: true` the library expects the bare answer `1` and hands its callback an error, although the event is stored.',
      "An event joins a group by `$groups: { company: 'acme' }` among its properties; what `set_group` sets is an ordinary property.",
    ],
  },
  'mixpanel-browser': {
    title: 'mixpanel-browser',
    snippets: ['mixpanel-browser.html'],
    notes: [
      "An event joins a group by `$groups: { company: 'acme' }` among its properties; what `set_group` sets is an ordinary property.",
      'Of the updates of a group only `set` is stored.',
      '2.22 does not send who an anonymous visitor became: the events of the two stay apart.',
    ],
  },
  '@segment/analytics-node': {
    title: 'Segment, @segment/analytics-node',
    snippets: ['segment-analytics-node.mjs'],
    notes: [
      'Groups have the type `group`.',
      "Events may also be sent to `/batch/`, by `path: '/batch/'`.",
    ],
  },
  'analytics-node': {
    title: 'Segment, analytics-node',
    snippets: ['analytics-node.mjs'],
    notes: [
      'Groups have the type `group`.',
      "Events may also be sent to `/batch/`, by `path: '/batch/'`.",
    ],
  },
  '@rudderstack/rudder-sdk-node': {
    title: 'RudderStack, @rudderstack/rudder-sdk-node',
    snippets: ['rudder-sdk-node.mjs'],
    notes: [
      'Groups have the type `group`.',
      '1.x posts to exactly the given address: end it with `/v1/batch` or `/batch/`.',
    ],
  },
  '@openfeature/ofrep-provider': {
    title: 'OpenFeature server, @openfeature/ofrep-provider',
    snippets: ['ofrep-provider.mjs'],
    notes: ['Values are booleans and texts; a payload is JSON text in `flagMetadata.payload`.'],
  },
  '@openfeature/ofrep-web-provider': {
    title: 'OpenFeature web, @openfeature/ofrep-web-provider',
    snippets: ['ofrep-web-provider.mjs'],
    notes: ['Values are booleans and texts; a payload is JSON text in `flagMetadata.payload`.'],
  },
}
