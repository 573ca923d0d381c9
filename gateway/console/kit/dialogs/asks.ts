/** Dialogs whose code is loaded when they are first opened. */
import { later } from '../later.tsx'

/** Asks before an action that cannot be undone. */
export const Confirm = later(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)

/** Asks for a name. */
export const NameDialog = later(async () => (await import('./name-dialog.tsx')).NameDialog)
