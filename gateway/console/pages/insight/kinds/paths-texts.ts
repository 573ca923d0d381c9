/** Texts that load with the settings of paths. */
import type { Source } from '../../../kit/picker/choice.ts'

export const PATHS_TEXTS = {
  settings: 'Settings',
  start: 'Starts at',
  end: 'Ends at',
  anywhere: 'Anywhere',
  stepLimit: 'Number of steps',
  edgeLimit: 'Maximum number of paths',
  types: 'Path type',
} as const

type PathType = { readonly value: string; readonly label: string; readonly source: Source }

export const PATH_TYPES: readonly PathType[] = [
  { value: '$pageview', label: 'Page views', source: 'page' },
  { value: '$screen', label: 'Screens', source: 'screen' },
  { value: 'custom_event', label: 'Custom events', source: 'event' },
]
