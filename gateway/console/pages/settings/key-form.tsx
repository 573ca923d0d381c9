import { useState } from 'preact/hooks'
import {
  createPersonalApiKey,
  type PersonalApiKey,
  updatePersonalApiKey,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { now } from '../../data/timers.ts'
import { Button } from '../../kit/button.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { Field, Select } from '../../kit/field.tsx'
import { useAction } from '../../kit/use-action.ts'
import { Choice } from './choice.tsx'
import { ACCESSES, type Access, accessTo, EVERYTHING, SCOPE_OBJECTS } from './scopes.ts'
import { EXPIRIES, SETTINGS_TEXTS as TEXTS } from './texts.ts'

type KeyFormProps = {
  /** Key to edit; undefined creates a new one. */
  readonly of: PersonalApiKey | undefined
  readonly onClose: () => void
  readonly onSaved: (key: PersonalApiKey) => void
}

const DAY_MS = 86_400_000

/** Form for the name, expiry and scopes of a key. */
export function KeyForm({ of, onClose, onSaved }: KeyFormProps) {
  const { id: project } = useProject()
  const { busy, failure, run } = useAction(true)
  const [isAll, setAll] = useState(of?.scopes.includes(EVERYTHING) ?? false)
  const [scopes, setScopes] = useState<readonly string[]>(
    of?.scopes.filter((each) => each !== EVERYTHING) ?? [],
  )
  const send = (form: FormData) =>
    run(async () => {
      const label = String(form.get('label') ?? '')
      const wanted = { label, scopes: isAll ? [EVERYTHING] : scopes }
      if (of !== undefined) {
        return onSaved(await updatePersonalApiKey(client, { id: of.id, ...wanted }))
      }
      const days = Number(form.get('expiry'))
      const expires_at = days === 0 ? null : new Date(now() + days * DAY_MS).toISOString()
      const scoped_teams = form.has('project') ? [project] : []
      onSaved(await createPersonalApiKey(client, { ...wanted, scoped_teams, expires_at }))
    })
  return (
    <Drawer title={of === undefined ? TEXTS.newKey : TEXTS.editKey} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          send(new FormData(event.currentTarget))
        }}
      >
        <Field
          label={TEXTS.label}
          name="label"
          required
          maxLength={40}
          hint={TEXTS.labelHint}
          defaultValue={of?.label ?? ''}
          autocomplete="off"
        />
        {of === undefined && (
          <>
            <Select label={TEXTS.expiry} name="expiry" options={EXPIRIES} value="90" />
            <Choice name="project" label={TEXTS.onlyProject} checked={false} />
          </>
        )}
        <label class="settings-choice">
          <input
            type="checkbox"
            checked={isAll}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
          <span>{TEXTS.everything}</span>
        </label>
        {!isAll && <ScopeMatrix scopes={scopes} onChange={setScopes} />}
        {failure !== undefined && (
          <p class="field-problem" role="alert">
            {failure.detail}
          </p>
        )}
        <Button tone="main" type="submit" busy={busy} disabled={!isAll && scopes.length === 0}>
          {of === undefined ? TEXTS.makeKey : TEXTS.save}
        </Button>
      </form>
    </Drawer>
  )
}

type ScopeMatrixProps = {
  readonly scopes: readonly string[]
  readonly onChange: (scopes: readonly string[]) => void
}

/** A row for each kind of object, of which one of three columns is chosen. */
function ScopeMatrix({ scopes, onChange }: ScopeMatrixProps) {
  const choose = (object: string, access: Access) => {
    const others = scopes.filter((scope) => scope.split(':')[0] !== object)
    onChange(access === 'none' ? others : [...others, `${object}:${access}`])
  }
  return (
    <table class="settings-matrix">
      <caption class="unseen">{TEXTS.matrix}</caption>
      <thead>
        <tr>
          <th scope="col">{TEXTS.object}</th>
          {ACCESSES.map((access) => (
            <th key={access} scope="col">
              {TEXTS.access[access]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {SCOPE_OBJECTS.map(({ id, name }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            {ACCESSES.map((access) => (
              <td key={access}>
                <input
                  type="radio"
                  name={`scope-${id}`}
                  aria-label={`${name}: ${TEXTS.access[access]}`}
                  checked={accessTo(id, scopes) === access}
                  onChange={() => choose(id, access)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
