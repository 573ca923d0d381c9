/** Columns of every list of persons. */
import type { Person } from '../../../client/index.ts'
import { nameOfActor } from '../../data/questions.ts'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import './persons.css'
import { PERSONS_TEXTS as TEXTS } from './texts.ts'

/** A person whose distinct ids are all gone is found by its UUID. */
export function addressOfPerson(project: number, { distinct_ids, uuid }: Person): string {
  return `/project/${project}/person/${encodeURIComponent(distinct_ids[0] ?? uuid)}`
}

/** @param hasLast the list says when persons were last seen. */
export function personColumns(project: number, hasLast = false): readonly Column<Person>[] {
  const columns: readonly Column<Person>[] = [
    {
      key: 'name',
      title: TEXTS.name,
      cell: (person) => <a href={addressOfPerson(project, person)}>{nameOfActor(person)}</a>,
    },
    {
      key: 'ids',
      isWide: true,
      title: TEXTS.ids,
      cell: ({ distinct_ids: [first = ''], distinct_id_count: count }) => (
        <>
          {first}
          {count > 1 && <span class="persons-others"> {TEXTS.others(count - 1)}</span>}
        </>
      ),
    },
    {
      key: 'identified',
      isWide: true,
      title: TEXTS.identified,
      cell: ({ is_identified: is }) => (is ? TEXTS.yes : TEXTS.no),
    },
    {
      key: 'first',
      isWide: hasLast,
      title: TEXTS.first,
      align: 'end',
      cell: ({ created_at: at }) => <Time value={at} />,
    },
    {
      key: 'last',
      title: TEXTS.last,
      align: 'end',
      cell: ({ last_seen_at: at }) => at !== null && <Time value={at} as="ago" />,
    },
  ]
  return hasLast ? columns : columns.slice(0, -1)
}
