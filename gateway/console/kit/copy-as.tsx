import { type Call, calls, curlOf } from '../data/calls.ts'
import { parsedJson } from '../data/json.ts'
import { Button } from './button.tsx'
import { Menu } from './menu.tsx'
import { toast } from './toasts.tsx'

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(`${what} copied`)
  } catch {
    // The browser's error message does not help.
    toast(`${what} could not be copied: the browser does not let this page`, { tone: 'bad' })
  }
}

/** @param call what the screen is about; the newest call of the page when absent. */
export function CopyAs({ call }: { readonly call?: Call | undefined }) {
  const copy = (what: string, textOf: (made: Call) => string) => {
    const shown = call ?? calls.value.at(-1)
    if (shown === undefined) toast('This screen has asked for nothing yet', { tone: 'bad' })
    else void copyText(textOf(shown), what)
  }
  return (
    <span class="joined">
      <Button icon="copy" onClick={() => copy('curl', (made) => curlOf(made, location.origin))}>
        Copy as curl
      </Button>
      <Menu
        label="More to copy"
        icon="down"
        items={[
          { label: 'Copy as JSON', onSelect: () => copy('JSON', jsonOf) },
          {
            label: 'Copy this address',
            onSelect: () => void copyText(location.href, 'Address'),
          },
        ]}
      />
    </span>
  )
}

function jsonOf({ verb, path, body }: Call): string {
  const sent = body === undefined ? undefined : parsedJson(body)
  return JSON.stringify({ verb, path, body: sent }, null, 2)
}
