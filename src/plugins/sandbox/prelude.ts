/** The code that every sandbox runs before its plugin. */

import {
  PLUGIN_ERROR_MESSAGE_CHARS_MAX,
  PLUGIN_ERROR_STACK_CHARS_MAX,
  PLUGIN_EVENT_CHARS_MAX,
  PLUGIN_LOG_CHARS_MAX,
  SANDBOX_ANSWER_CHARS_MAX,
} from '../../core/limits/limits-plugins.ts'
import { installBytes } from './vm/bytes.ts'
import { createEntries, createProcessing, exportsOf } from './vm/calls.ts'
import { installConsole } from './vm/console.ts'
import { installFetch, SandboxHeaders } from './vm/fetch.ts'
import { createKit, installNoCodegen, type VmLimits } from './vm/kit.ts'
import { createMeta, jobsOf, storesOf } from './vm/meta.ts'
import { installModules } from './vm/modules.ts'
import { installUrl, SandboxSearchParams } from './vm/url.ts'

const LIMITS: VmLimits = {
  logChars: PLUGIN_LOG_CHARS_MAX,
  eventChars: PLUGIN_EVENT_CHARS_MAX,
  answerChars: SANDBOX_ANSWER_CHARS_MAX,
  errorChars: PLUGIN_ERROR_MESSAGE_CHARS_MAX,
  stackChars: PLUGIN_ERROR_STACK_CHARS_MAX,
}

/** In the order of the calls, with the class that each function gets. */
const PARTS = [
  [installConsole],
  [installBytes],
  [installUrl, SandboxSearchParams],
  [installModules],
  [installFetch, SandboxHeaders],
  [installNoCodegen],
] as const

/** An expression: a function that takes `Native` and returns `Entries`. */
export const PRELUDE = [
  '(function (native) {',
  '"use strict"',
  // Development loaders mark the names of functions by calls of it; on Node 24 they do so twice.
  'const __name = (named) => named, __name2 = __name',
  `const kit = (${createKit})(native, ${JSON.stringify(LIMITS)})`,
  ...PARTS.map(
    ([install, given]) => `;(${install})(kit${given === undefined ? '' : `, ${given}`})`,
  ),
  'kit.define("posthog", {',
  '  capture: async (name, properties = {}) => { await kit.ask("capture", [name, properties]) },',
  '})',
  `const metaParts = { jobsOf: ${jobsOf}, storesOf: ${storesOf} }`,
  `return (${createEntries})(kit, {`,
  `  createMeta: (kit, input) => (${createMeta})(kit, input, metaParts),`,
  `  createProcessing: ${createProcessing},`,
  `  exportsOf: ${exportsOf},`,
  '})',
  '})',
].join('\n')

/** Names that a plugin may declare at the top level in place of an export. */
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

/** An expression: `Evaluate` of a compiled plugin. The plugin's first line stays the first line. */
export function evaluateText(compiled: string): string {
  const declared = NAMES.map((name) => `get ${name}() { ${lookUp(name)} }`).join(', ')
  return `(function (exports, module, require) {${compiled}\n;return { ${declared} };\n})`
}

function lookUp(name: string): string {
  return `return typeof ${name} === 'undefined' ? undefined : ${name}`
}
