export const LOGIN_TEXTS = {
  title: 'Sign in to Sluice',
  link: 'Signing in with your link…',
  used: 'This link was used or is too old',
  another:
    'A link works once, for 15 minutes. On the machine of the server, this prints another one:',
  command: 'npx sluice admin login-link',
} as const
