/** The text that every sandbox runs before its plugin. */
import {
  PLUGIN_ERROR_MESSAGE_CHARS_MAX,
  PLUGIN_ERROR_STACK_CHARS_MAX,
  PLUGIN_EVENT_CHARS_MAX,
  PLUGIN_LOG_CHARS_MAX,
  SANDBOX_ANSWER_CHARS_MAX,
} from '../../core/limits/limits-plugins.ts'
import { installBytes } from './vm/bytes.ts'
import { createEntries, exportsOf } from './vm/calls.ts'
import { installConsole } from './vm/console.ts'
import { installFetch } from './vm/fetch.ts'
import { createKit, installNoCodegen, type VmLimits } from './vm/kit.ts'
import { createMeta } from './vm/meta.ts'
import { installModules } from './vm/modules.ts'
import { installUrl } from './vm/url.ts'

const LIMITS: VmLimits = {
  logChars: PLUGIN_LOG_CHARS_MAX,
  eventChars: PLUGIN_EVENT_CHARS_MAX,
  answerChars: SANDBOX_ANSWER_CHARS_MAX,
  errorChars: PLUGIN_ERROR_MESSAGE_CHARS_MAX,
  stackChars: PLUGIN_ERROR_STACK_CHARS_MAX,
}

/** In the order in which they are called. */
const PARTS = [
  installConsole,
  installBytes,
  installUrl,
  installModules,
  installFetch,
  installNoCodegen,
]

/** An expression: a function that is handed `Native` and answers `Entries`. */
export const PRELUDE = [
  '(function (native) {',
  '"use strict"',
  // Loaders for development mark the names of functions with it.
  'const __name = (named) => named',
  `const kit = (${createKit})(native, ${JSON.stringify(LIMITS)})`,
  ...PARTS.map((part) => `;(${part})(kit)`),
  'kit.define("posthog", {',
  '  capture: async (name, properties = {}) => { await kit.ask("capture", [name, properties]) },',
  '})',
  `return (${createEntries})(kit, ${createMeta}, ${exportsOf})`,
  '})',
].join('\n')

/** Names that a plugin may declare at its top level instead of exporting them. */
const NAMES = [
  'setupPlugin',
  'teardownPlugin',
  'processEvent',
  'processEventBatch',
  'onEvent',
  'exportEvents',
  'runEveryMinute',
  'runEveryHour',
  'runEveryDay',
  'jobs',
]

/** An expression: `Evaluate` of a compiled plugin, whose first line stays the first. */
export function evaluateText(compiled: string): string {
  const declared = NAMES.map((name) => `get ${name}() { ${lookUp(name)} }`).join(', ')
  return `(function (exports, module, require) {${compiled}\n;return { ${declared} };\n})`
}

function lookUp(name: string): string {
  return `return typeof ${name} === 'undefined' ? undefined : ${name}`
}
