/** Dialogs that come when they are opened first. */
import { later } from '../later.tsx'

/** Asks before something that cannot be taken back. */
export const Confirm = later(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)

/** Asks for the name of a thing. */
export const NameDialog = later(async () => (await import('./name-dialog.tsx')).NameDialog)
