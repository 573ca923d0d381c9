import type { FeatureFlag } from '../../../client/index.ts'
import { currentProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { copyText } from '../../kit/copy-as.tsx'
import { variantsOf } from './model.ts'

/** Code that evaluates the flag, for each client library. */
export function Code({ flag }: { readonly flag: FeatureFlag }) {
  return (
    <div class="flag-code">
      {snippetsOf(flag).map(({ name, text }) => (
        <section key={name}>
          <header>
            <h2>{name}</h2>
            <Button tone="quiet" icon="copy" onClick={() => void copyText(text, name)}>
              Copy
            </Button>
          </header>
          {/* Scrolled by keys as well as by a finger. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus */}
          <pre tabIndex={0}>{text}</pre>
        </section>
      ))}
    </div>
  )
}

type Snippet = { readonly name: string; readonly text: string }

function snippetsOf({ key, filters }: FeatureFlag): readonly Snippet[] {
  const isSplit = variantsOf(filters).length > 0
  const [first = { key: 'test' }] = variantsOf(filters)
  const token = currentProject()?.api_token ?? 'YOUR_PROJECT_KEY'
  const js = isSplit
    ? `if (posthog.getFeatureFlag('${key}') === '${first.key}') {\n  // …\n}`
    : `if (posthog.isFeatureEnabled('${key}')) {\n  // …\n}`
  const node = `const flags = await client.evaluateFlags(distinctId)\n${
    isSplit ? `const value = flags.getFlag('${key}')` : `const isOn = flags.isEnabled('${key}')`
  }`
  const python = isSplit
    ? `value = posthog.get_feature_flag("${key}", distinct_id)`
    : `is_on = posthog.feature_enabled("${key}", distinct_id)`
  const body = JSON.stringify({ api_key: token, distinct_id: 'ann' })
  const http = `curl '${location.origin}/flags/?v=2' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`
  return [
    { name: 'JavaScript (posthog-js)', text: js },
    { name: 'Node (posthog-node)', text: node },
    { name: 'Python', text: python },
    { name: 'HTTP', text: http },
  ]
}
