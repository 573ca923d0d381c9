import { signal } from '@preact/signals'

/** The dialog that lies over the page. */
export const shownHelper = signal<'palette' | 'help' | undefined>(undefined)
