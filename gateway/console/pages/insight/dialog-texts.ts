/** Texts that load with the dialogs and editors of an insight. */
export const DIALOG_TEXTS = {
  saveAction: 'Save',
  saveTitle: 'Save the insight',
  name: 'Name',
  saved: 'Saved',
  renameTitle: 'Rename the insight',
  renameAction: 'Rename',
  removeTitle: 'Delete this insight?',
  removeText:
    'It is deleted at once, from all dashboards too, and cannot be brought back. Events stay.',
  removeAction: 'Delete insight',
  removed: 'Insight deleted',
  toDashboardTitle: 'Add to a dashboard',
  dashboard: 'Dashboard',
  newDashboard: 'A new dashboard',
  add: 'Add',
  added: 'Added to the dashboard',
  cohorts: 'Cohorts',
  addCohort: 'Add cohort',
  noCohorts: 'This project has no cohorts.',
  takeOut: 'Remove',
  deletedCohort: (id: number) => `Cohort ${id} (deleted)`,
} as const
