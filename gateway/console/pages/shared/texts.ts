export const SHARED_TEXTS = {
  gone: 'This link shows nothing',
  goneText: 'It may have been revoked, or have ended. Ask whoever gave it to you for another one.',
  locked: 'This page has a password',
  password: 'Password',
  open: 'Open',
  tiles: 'Tiles',
  range: 'Date range',
  asOf: 'Updated',
  by: 'Shared with Sluice',
} as const
