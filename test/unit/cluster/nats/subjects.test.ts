import t from 'tap'
import { clusterSubjects } from '../../../../cluster/nats/subjects.ts'

t.test('no two clusters share a name in NATS', (t) => {
  const clusters = ['a', 'a_members', 'a_settings', 'a_spill', 'a_drainer', 'A', 'a-b', '_INBOX']
  const names = clusters.flatMap((name) => Object.values(clusterSubjects(name)))
  t.equal(new Set(names).size, names.length)
  for (const name of names) t.match(name, /^[\w-]+(?:\.[\w-]+)*$/)
  t.end()
})
