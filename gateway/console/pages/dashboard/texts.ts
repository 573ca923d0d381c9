export const DASHBOARD_TEXTS = {
  title: 'Dashboard',
  back: 'All dashboards',
  home: 'Home',
  own: 'Date range of each insight',
  kept: 'All tiles: ',
  keep: 'Save for all users',
  forget: 'Use the date range and filters of each insight',
  add: 'Add insight',
  addText: 'Add a text…',
  emptyTitle: 'Nothing here yet',
  empty: 'Add saved insights, and texts that explain them.',
  tiles: 'Tiles',
  more: 'More for',
  text: 'the text',
  drag: 'Drag to another place',
  earlier: 'Move forward',
  later: 'Move back',
  edit: 'Edit…',
  remove: 'Remove',
  taken: 'Removed from the dashboard',
  noQuestion: 'This insight has no question that can be read.',
} as const

/** Widths in columns of 12. */
export const WIDTHS = [
  { w: 4, label: 'A third wide' },
  { w: 6, label: 'Half wide' },
  { w: 8, label: 'Two thirds wide' },
  { w: 12, label: 'Whole width' },
] as const
