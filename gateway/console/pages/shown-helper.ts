import { signal } from '@preact/signals'

/** Dialog over the page. */
export const shownHelper = signal<'palette' | 'help' | undefined>(undefined)
