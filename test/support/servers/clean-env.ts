/** All that a program under test finds in its environment: nothing of the shell's settings. */
export function cleanEnv(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own = ['PATH', 'HOME'].map((name): [string, string] => [name, process.env[name] ?? ''])
  return { ...Object.fromEntries(own), ...settings }
}
