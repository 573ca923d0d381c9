export const DIALOG_TEXTS = {
  name: 'Name',
  renameTitle: 'Rename dashboard',
  renameAction: 'Rename',
  removeTitle: 'Delete this dashboard?',
  removeText: 'Its insights are kept, its text cards are deleted. This cannot be undone.',
  removeAction: 'Delete dashboard',
  removed: 'Dashboard deleted',
} as const
