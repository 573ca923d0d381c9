/** How `npm run test:stress` shifts the clock of every program of a run alike. */
const CLOCK = ['LD_PRELOAD', 'FAKETIME', 'DONT_FAKE_MONOTONIC', 'FAKETIME_DONT_FAKE_MONOTONIC']

/** All that a program under test finds in its environment: nothing of the shell's settings. */
export function cleanEnv(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = ['PATH', 'HOME', ...(process.env['FAKETIME'] === undefined ? [] : CLOCK)]
  const own = kept.map((name): [string, string] => [name, process.env[name] ?? ''])
  return { ...Object.fromEntries(own), ...settings }
}
