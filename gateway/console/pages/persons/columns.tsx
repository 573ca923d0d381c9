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

export function personColumns(project: number): readonly Column<Person>[] {
  return [
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
      title: TEXTS.identified,
      cell: ({ is_identified: is }) => (is ? TEXTS.yes : TEXTS.no),
    },
    {
      key: 'first',
      title: TEXTS.first,
      align: 'end',
      cell: ({ created_at: at }) => <Time value={at} />,
    },
  ]
}
