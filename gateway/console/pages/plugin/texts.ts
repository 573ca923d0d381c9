export const TABS = [
  { id: 'config', name: 'Settings' },
  { id: 'source', name: 'Source' },
  { id: 'try', name: 'Try' },
  { id: 'logs', name: 'Logs' },
] as const

export const PLUGIN_TEXTS = {
  title: 'Plugin',
  back: 'Plugins',
  parts: 'Parts of the plugin',
  saved: 'Saved',
  save: 'Save settings',
  nothing: 'Nothing is changed',
  noSettings: 'This plugin has no settings.',
  required: 'needed',
  set: 'Set',
  notSet: 'Not set',
  replace: 'Replace',
  clear: 'Clear',
  keep: 'Keep the old one',
  cleared: 'It is cleared when you save.',
  badJson: 'Not valid JSON.',
  byDefault: 'As the plugin says',
  error: 'An error has switched this plugin off',
  again: 'Switch on again',
  update: 'Its source has a newer version',
  take: 'Take the newer version',
  taken: 'The pipeline runs the newer version',
  removal: 'Remove from the project',
  removalTitle: 'Remove this plugin from the project?',
  removalText:
    'Its settings, files, logs and storage are deleted at once and cannot be brought back. The plugin itself stays installed.',
  remove: 'Remove',

  local: 'This plugin comes with the product, which runs it itself. Its settings are all there is.',
  file: 'File',
  saveSource: 'Save source',
  sourceSaved: 'Saved as a newer version. The pipeline runs it once you take it.',
  foreign: 'Another organization owns the plugin: you can read it.',

  event: 'A stored event',
  eventHint: 'The newest of the project. What you change below is not stored.',
  ownEvent: 'An event of your own',
  json: 'Event as JSON',
  badEvent: 'Not a valid JSON object.',
  run: 'Run it',
  runNote: 'It goes through every plugin that is on and above this one, and then through this one.',
  outcomes: { kept: 'kept', dropped: 'dropped', failed: 'failed' },
  unchanged: 'The event is as it was.',
  gone: 'The event is dropped here. Nothing below sees it.',
  wrote: 'Wrote',
  result: 'Event after it',
  steps: 'Steps',

  logs: 'Newest entries',
  search: 'Search in messages',
  type: 'Type',
  allTypes: 'All types',
  noLogs: 'Nothing is written yet',
  noLogsText: 'What the plugin and the server say about its runs appears here by itself.',
  noMatch: 'No entry passes the filter.',
  follow: 'Follow new entries',
  more: 'Show older ones',
} as const

export const LOG_TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'] as const

/** Event to try plugins with in a project without events. */
export const EXAMPLE_EVENT = {
  event: '$pageview',
  distinct_id: 'somebody',
  properties: { $current_url: 'https://example.com/?utm_source=mail', $ip: '203.0.113.7' },
} as const
