export const PERSONS_TEXTS = {
  title: 'Persons',
  rows: 'Persons',
  search: 'Search',
  searchPlace: 'Distinct id, e-mail address, name or UUID',
  name: 'Person',
  ids: 'Distinct ids',
  identified: 'Identified',
  first: 'First seen',
  yes: 'yes',
  no: 'no',
  others: (count: number) => `and ${count.toLocaleString('en')} more`,
  shown: (shown: number, count: number) =>
    `${shown.toLocaleString('en')} of ${count.toLocaleString('en')}`,
  emptyTitle: 'No persons yet',
  empty: 'A person appears here with the first event of a distinct id.',
  noneTitle: 'No persons found',
  none: (search: string) =>
    `No distinct id, e-mail address, name or user name contains “${search}”.`,
  nobodyPasses: 'No persons match the search and filters.',
  clear: 'Show all persons',
  saveCohort: 'Save as cohort',
} as const
