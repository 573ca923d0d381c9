import { ACCESSES, type Access, accessTo, SCOPE_OBJECTS } from './scopes.ts'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

type ScopeMatrixProps = {
  readonly scopes: readonly string[]
  readonly onChange: (scopes: readonly string[]) => void
}

/** A row for each kind of object, of which one of three columns is chosen. */
export function ScopeMatrix({ scopes, onChange }: ScopeMatrixProps) {
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
