import { useState } from 'preact/hooks'
import { resetProjectToken } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { loadProjects, useProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { copyText } from '../../kit/copy-as.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { ADMINISTRATOR } from './levels.ts'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

/** The key with which apps send events: no secret, but a new one stops the old. */
export function ProjectKey() {
  const { id, api_token: key, effective_membership_level: level } = useProject()
  const [asks, setAsks] = useState(false)
  const { busy, run } = useAction()
  const reset = () =>
    run(async () => {
      await resetProjectToken(client, { id })
      await loadProjects()
      setAsks(false)
      toast(TEXTS.keyReset)
    })
  return (
    <section class="settings-card" aria-labelledby="project-key">
      <h2 id="project-key">{TEXTS.projectKey}</h2>
      <p class="settings-note">{TEXTS.projectKeyText}</p>
      <code class="settings-secret">{key}</code>
      <div class="settings-row">
        <Button icon="copy" onClick={() => void copyText(key, TEXTS.projectKey)}>
          Copy
        </Button>
        {(level ?? 0) >= ADMINISTRATOR && (
          <Button tone="danger" onClick={() => setAsks(true)}>
            {TEXTS.resetKey}
          </Button>
        )}
      </div>
      {asks && (
        <Confirm
          title={TEXTS.resetTitle}
          action={TEXTS.resetKey}
          busy={busy}
          onConfirm={reset}
          onClose={() => setAsks(false)}
        >
          <p>{TEXTS.resetText}</p>
        </Confirm>
      )}
    </section>
  )
}
