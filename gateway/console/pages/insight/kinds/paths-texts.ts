/** Texts that load with the settings of paths. */
import type { Source } from '../../../kit/picker/choice.ts'

export const PATHS_TEXTS = {
  settings: 'Settings',
  start: 'Start at',
  end: 'End at',
  anywhere: 'Anywhere',
  stepLimit: 'Number of steps',
  edgeLimit: 'Maximum number of paths',
  types: 'Made of',
} as const

type PathType = { readonly value: string; readonly label: string; readonly source: Source }

export const PATH_TYPES: readonly PathType[] = [
  { value: '$pageview', label: 'Pages', source: 'page' },
  { value: '$screen', label: 'Screens', source: 'screen' },
  { value: 'custom_event', label: 'Own events', source: 'event' },
]
