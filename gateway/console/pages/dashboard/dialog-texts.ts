/** Texts that load with the dialogs of a dashboard. */
export const DIALOG_TEXTS = {
  addTitle: 'Add an insight',
  search: 'Search',
  nothing: 'No insight has such a name.',
  newInsight: 'Make a new insight',
  editTitle: 'Text',
  body: 'Text',
  saveText: 'Save text',
} as const
