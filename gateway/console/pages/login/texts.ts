/** By the code of the refusal. */
const OVER: Readonly<Record<string, string>> = {
  login_link_used: 'This link has been used already',
  login_link_old: 'This link is too old',
  login_link_unknown: 'This link is not valid',
}

export const LOGIN_TEXTS = {
  title: 'Sign in to Sluice',
  link: 'Signing in with your link…',
  over: OVER,
  refused: 'This link does not sign you in',
  failed: 'The link could not be checked',
  retry: 'Try again',
  another: 'A link works once, within 15 minutes. Get a new one on the server:',
  command: 'npx sluice admin login-link',
} as const
