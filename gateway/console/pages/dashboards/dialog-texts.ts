export const DIALOG_TEXTS = {
  name: 'Name',
  renameTitle: 'Rename the dashboard',
  renameAction: 'Rename',
  removeTitle: 'Delete this dashboard?',
  removeText: 'Its insights stay, its texts go at once. It cannot be brought back.',
  removeAction: 'Delete dashboard',
  removed: 'Dashboard deleted',
} as const
