/** Words that come with the settings of paths. */
import type { Options } from '../texts.ts'

export const PATHS_TEXTS = {
  settings: 'Settings',
  start: 'Start at',
  end: 'End at',
  ofPath: 'A page or an event; empty for all.',
  stepLimit: 'Number of steps',
  edgeLimit: 'Maximum number of paths',
  types: 'Made of',
} as const

export const PATH_TYPES: Options = [
  { value: '$pageview', label: 'Pages' },
  { value: '$screen', label: 'Screens' },
  { value: 'custom_event', label: 'Own events' },
]
