import type { FlagDependencies, FlagLink } from '../../../client/index.ts'
import type { Resource } from '../../data/resource.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

type LinksProps = { readonly project: number; readonly of: Resource<FlagDependencies> }

/** Dependencies and dependents of a flag. */
export function Links({ project, of }: LinksProps) {
  return (
    <Loaded of={of} skeleton={<TableSkeleton rows={4} />}>
      {({ depends_on: dependsOn, dependents, cohorts }) => (
        <div class="flag-links">
          <FlagLinks title={TEXTS.depends} project={project} flags={dependsOn} />
          <FlagLinks title={TEXTS.dependents} project={project} flags={dependents} />
          <section>
            <h2>{TEXTS.cohorts}</h2>
            {cohorts.length === 0 && <p class="flag-note">{TEXTS.none}</p>}
            <ul>
              {cohorts.map(({ id, name }) => (
                <li key={id}>
                  <a href={`/project/${project}/cohorts/${id}`}>{name || id}</a>
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </Loaded>
  )
}

type FlagLinksProps = {
  readonly title: string
  readonly project: number
  readonly flags: readonly FlagLink[]
}

function FlagLinks({ title, project, flags }: FlagLinksProps) {
  return (
    <section>
      <h2>{title}</h2>
      {flags.length === 0 && <p class="flag-note">{TEXTS.none}</p>}
      <FlagList project={project} flags={flags} />
    </section>
  )
}

type FlagListProps = Omit<FlagLinksProps, 'title'>

export function FlagList({ project, flags }: FlagListProps) {
  return (
    <ul>
      {flags.map(({ id, key, active }) => (
        <li key={id}>
          <a href={`/project/${project}/feature_flags/${id}`}>
            <code>{key}</code>
          </a>{' '}
          {active ? 'on' : 'off'}
        </li>
      ))}
    </ul>
  )
}
