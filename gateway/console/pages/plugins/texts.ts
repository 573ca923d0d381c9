export const PLUGINS_TEXTS = {
  title: 'Plugins',
  note: 'Each event goes through them from top to bottom before it is stored.',
  pipeline: 'Pipeline of events',
  start: 'Events come in',
  end: 'Events are stored',
  add: 'Add a plugin',
  emptyTitle: 'No plugins yet',
  empty:
    'A plugin changes, drops or forwards events: it hides addresses, filters bots, calls a hook.',
  up: 'Move up',
  down: 'Move down',
  unknown: 'Plugin',
  failed: 'Switched off by an error',
  update: 'A newer version can be taken',
  delivered: 'went well in 24 hours',
  set: 'Set up',
  all: 'Every plugin that you may use is in the pipeline already.',
  own: 'Write one',
  ownText: 'It begins with a function that is called for each event.',
  name: 'Name',
  create: 'Create plugin',
  choose: 'Plugins that can be added',
} as const

export const NEW_SOURCE = `export function processEvent(event, { config }) {
  // Return the event, changed or not, or null to drop it.
  return event
}
`
