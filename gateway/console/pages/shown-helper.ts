import { shared } from '../data/shared.ts'

/** Dialog over the page. */
export const shownHelper = shared<'palette' | 'help' | undefined>(undefined)
