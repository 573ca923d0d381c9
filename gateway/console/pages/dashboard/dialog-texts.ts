/** Texts that load with the dialogs of a dashboard. */
export const DIALOG_TEXTS = {
  addTitle: 'Add insight',
  search: 'Search',
  nothing: 'No insights match the search.',
  newInsight: 'New insight',
  editTitle: 'Text',
  body: 'Text',
  saveText: 'Save text',
} as const
