export const TABS = [
  { id: 'config', name: 'Settings' },
  { id: 'source', name: 'Source' },
  { id: 'try', name: 'Test' },
  { id: 'logs', name: 'Logs' },
] as const

export const PLUGIN_TEXTS = {
  title: 'Plugin',
  back: 'Plugins',
  parts: 'Sections of the plugin',
  saved: 'Saved',
  save: 'Save settings',
  nothing: 'No changes',
  noSettings: 'This plugin has no settings.',
  required: 'required',
  set: 'Set',
  notSet: 'Not set',
  replace: 'Replace',
  clear: 'Clear',
  keep: 'Keep current value',
  cleared: 'It is cleared when you save.',
  badJson: 'Not valid JSON.',
  byDefault: 'Default',
  error: 'An error turned this plugin off',
  again: 'Turn on again',
  update: 'A newer version is available',
  take: 'Update to the newer version',
  taken: 'The pipeline runs the newer version',
  removal: 'Remove from the project',
  removalTitle: 'Remove this plugin from the project?',
  removalText:
    'Its settings, files, logs and storage are deleted at once and cannot be brought back. The plugin itself stays installed.',
  remove: 'Remove',

  local: 'This plugin is built in: it has settings, but no source to edit.',
  saveSource: 'Save source',
  sourceSaved: 'Saved as a newer version. The pipeline runs it once you update.',
  foreign: 'Another organization owns the plugin: you can read it.',

  event: 'Stored event',
  eventHint: 'The newest of the project. Changes below are not stored.',
  ownEvent: 'Custom event',
  json: 'Event as JSON',
  badEvent: 'Not a valid JSON object.',
  run: 'Run',
  runNote: 'The event passes the enabled plugins above this one, then this one.',
  outcomes: { kept: 'kept', dropped: 'dropped', failed: 'failed' },
  unchanged: 'The event is unchanged.',
  gone: 'The event is dropped here. Later plugins do not get it.',
  wrote: 'Logged',
  result: 'Resulting event',
  steps: 'Steps',

  logs: 'Log entries',
  search: 'Search in messages',
  type: 'Type',
  allTypes: 'All types',
  noLogs: 'No log entries yet',
  noLogsText: 'Messages of the plugin and of the server about its runs appear here.',
  noMatch: 'No entries match the filter.',
  follow: 'Follow new entries',
  more: 'Load more',
} as const

export const LOG_TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'] as const

/** Event to try plugins with in a project without events. */
export const EXAMPLE_EVENT = {
  event: '$pageview',
  distinct_id: 'somebody',
  properties: { $current_url: 'https://example.com/?utm_source=mail', $ip: '203.0.113.7' },
} as const
