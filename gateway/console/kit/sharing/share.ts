/** Links to a page for people without an account, whose code is loaded when it is first opened. */
import { later } from '../later.tsx'

export const Share = later(async () => (await import('./share-drawer.tsx')).ShareDrawer)
