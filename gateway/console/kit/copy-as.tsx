import { type Call, calls, curlOf } from '../data/calls.ts'
import { parsedJson } from '../data/json.ts'
import { Menu } from './menu.tsx'
import { toast } from './toasts.tsx'

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(`${what} copied`)
  } catch {
    // The browser's error message does not help.
    toast(`${what} not copied: this browser denies access to the clipboard`, { tone: 'bad' })
  }
}

/** @param call what the screen is about; the newest call of the page when absent. */
export function CopyAs({ call }: { readonly call?: Call | undefined }) {
  const copy = (what: string, textOf: (made: Call) => string) => {
    const shown = call ?? calls.value.at(-1)
    if (shown === undefined) toast('This page has made no API call yet', { tone: 'bad' })
    else void copyText(textOf(shown), what)
  }
  return (
    <Menu
      label="Copy"
      icon="copy"
      tone="quiet"
      items={[
        { label: 'Copy link', onSelect: () => void copyText(location.href, 'Link') },
        {
          label: 'Copy as curl',
          onSelect: () => copy('curl', (made) => curlOf(made, location.origin)),
        },
        { label: 'Copy as JSON', onSelect: () => copy('JSON', jsonOf) },
      ]}
    />
  )
}

function jsonOf({ verb, path, body }: Call): string {
  const sent = body === undefined ? undefined : parsedJson(body)
  return JSON.stringify({ verb, path, body: sent }, null, 2)
}
