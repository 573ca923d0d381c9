export const PLUGINS_TEXTS = {
  title: 'Plugins',
  note: 'Each event passes the plugins from top to bottom before it is stored.',
  pipeline: 'Event pipeline',
  start: 'Incoming events',
  end: 'Stored events',
  add: 'Add plugin',
  emptyTitle: 'No plugins yet',
  empty:
    'A plugin changes, drops or forwards events: it masks IP addresses, filters bots or calls a webhook.',
  up: 'Move up',
  down: 'Move down',
  unknown: 'Plugin',
  failed: 'Turned off by an error',
  update: 'Update available',
  delivered: 'succeeded in the last 24 hours',
  set: 'Configure',
  all: 'All available plugins are in the pipeline already.',
  own: 'Write your own',
  ownText: 'Starts with a function that is called for each event.',
  name: 'Name',
  create: 'Create plugin',
  choose: 'Available plugins',
} as const

export const NEW_SOURCE = `export function processEvent(event, { config }) {
  // Return the event, changed or not, or null to drop it.
  return event
}
`
