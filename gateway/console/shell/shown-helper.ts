import { signal } from '@preact/signals'

/** What lies over the page. */
export const shownHelper = signal<'palette' | 'help' | undefined>(undefined)
