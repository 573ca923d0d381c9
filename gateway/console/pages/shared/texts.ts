export const SHARED_TEXTS = {
  gone: 'This link is not available',
  goneText: 'It may have expired or been revoked. Ask the person who sent it for a new one.',
  locked: 'This page is protected by a password',
  password: 'Password',
  open: 'Open',
  tiles: 'Tiles',
  range: 'Date range',
  asOf: 'Updated',
  by: 'Shared with Sluice',
} as const
