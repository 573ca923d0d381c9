import { useId } from 'preact/hooks'
import { useQueryState } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { copyText } from '../../kit/copy-as.tsx'
import { type Snippet, snippetsOf } from './snippets.ts'
import { START_TEXTS as TEXTS } from './texts.ts'

/** Snippets; the address names the shown one. */
export function Code({ host, token }: { readonly host: string; readonly token: string }) {
  const snippets = snippetsOf(host, token)
  const [library, setLibrary] = useQueryState('library', 'html')
  const shown = snippets.find(({ id }) => id === library) ?? snippets[0]
  const panel = useId()
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined || shown === undefined) return
    event.preventDefault()
    const at = (snippets.indexOf(shown) + step + snippets.length) % snippets.length
    const next = snippets[at]
    if (next === undefined) return
    setLibrary(next.id, { replace: true })
    document.getElementById(`${panel}-${next.id}`)?.focus()
  }
  return (
    <section class="start-code">
      <h2>{TEXTS.code}</h2>
      <div role="tablist" aria-label={TEXTS.libraries} class="start-tabs" onKeyDown={move}>
        {snippets.map(({ id, name }) => (
          <button
            key={id}
            id={`${panel}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === shown?.id}
            aria-controls={panel}
            tabIndex={id === shown?.id ? 0 : -1}
            onClick={() => setLibrary(id, { replace: true })}
          >
            {name}
          </button>
        ))}
      </div>
      {shown !== undefined && (
        <div id={panel} role="tabpanel" aria-labelledby={`${panel}-${shown.id}`}>
          <Lines {...shown} />
        </div>
      )}
    </section>
  )
}

function Lines({ name, install, text }: Snippet) {
  return (
    <>
      {install !== undefined && <Block name={TEXTS.install} text={install} />}
      <Block name={name} text={text} />
    </>
  )
}

/** Block of code with a copy button. */
export function Block({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div class="start-block">
      <pre>{text}</pre>
      <Button
        tone="quiet"
        icon="copy"
        aria-label={`${TEXTS.copy}: ${name}`}
        onClick={() => void copyText(text, name)}
      />
    </div>
  )
}
