import type { CohortUses } from '../../../client/index.ts'
import { nameOfCohort } from '../../data/cohorts.ts'
import { COHORT_TEXTS as TEXTS } from './texts.ts'

type Use = { readonly key: string; readonly href: string; readonly text: string }

type UseListProps = {
  readonly project: number
  readonly uses: CohortUses
  /** Limits the list to uses that prevent deletion, or to the others. */
  readonly only?: 'blocking' | 'others'
}

/** Where a cohort is used, with links. */
export function UseList({ project, uses, only }: UseListProps) {
  const home = `/project/${project}`
  const blocking: readonly (readonly [string, readonly Use[]])[] = [
    [
      TEXTS.flags,
      uses.feature_flags.map(({ id, key }) => ({
        key: String(id),
        href: `${home}/feature_flags/${id}`,
        text: key,
      })),
    ],
    [
      TEXTS.cohorts,
      uses.cohorts.map((each) => ({
        key: String(each.id),
        href: `${home}/cohorts/${each.id}`,
        text: nameOfCohort(each),
      })),
    ],
  ]
  const others: typeof blocking = [
    [
      TEXTS.insights,
      uses.insights.map(({ short_id: key, name }) => ({
        key,
        href: `${home}/insights/${key}`,
        text: name || key,
      })),
    ],
    [
      TEXTS.dashboards,
      uses.dashboards.map(({ id, name }) => ({
        key: String(id),
        href: `${home}/dashboard/${id}`,
        text: name || String(id),
      })),
    ],
  ]
  const shown =
    only === 'blocking' ? blocking : only === 'others' ? others : [...blocking, ...others]
  return (
    <dl class="cohort-uses">
      {shown
        .filter(([, list]) => list.length > 0)
        .map(([title, list]) => (
          <div key={title}>
            <dt>{title}</dt>
            {list.map(({ key, href, text }) => (
              <dd key={key}>
                <a href={href}>{text}</a>
              </dd>
            ))}
          </div>
        ))}
      {uses.web_goals && only !== 'blocking' && (
        <div>
          <dt>{TEXTS.goals}</dt>
          <dd>
            <a href={`${home}/web`}>{TEXTS.webAnalytics}</a>
          </dd>
        </div>
      )}
      {uses.test_accounts && only !== 'blocking' && (
        <div>
          <dt>{TEXTS.testAccounts}</dt>
          <dd>
            <a href={`${home}/settings/project`}>{TEXTS.settings}</a>
          </dd>
        </div>
      )}
    </dl>
  )
}

export function isBlocked({ feature_flags: flags, cohorts }: CohortUses): boolean {
  return flags.length + cohorts.length > 0
}

export function isUsed(uses: CohortUses): boolean {
  return isBlocked(uses) || breaksSomething(uses)
}

/** Whether a deletion would leave references to a missing cohort. */
export function breaksSomething(uses: CohortUses): boolean {
  const { insights, dashboards, test_accounts, web_goals } = uses
  return insights.length + dashboards.length > 0 || test_accounts || web_goals
}
