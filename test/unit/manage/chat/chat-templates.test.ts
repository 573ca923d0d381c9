import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import { newEventsText, verifiedText } from '../../../../src/manage/chat/chat-templates.ts'

const news = (names: string[], count = names.length, projectName = 'Web') =>
  newEventsText({ projectId: projectId(1), projectName, names, count })

t.test('a message names what is new, and how much more there is', async (t) => {
  t.equal(news(['paid']), 'A new event in the project Web: "paid"')
  t.equal(news(['a', 'b']), '2 new events in the project Web: "a", "b"')
  t.equal(news(['a', 'b'], 12), '12 new events in the project Web: "a", "b" and 10 more')
})

t.test('a message says who verified an event', async (t) => {
  const facts = { event: 'paid', project: 'Web', by: { first_name: 'Ann', email: 'a@x.org' } }
  t.equal(verifiedText(facts), 'The event "paid" in the project Web was verified by Ann')
  t.equal(verifiedText({ ...facts, by: null }), 'The event "paid" in the project Web was verified')
})

t.test('no name calls people, makes a link or a line', async (t) => {
  const odd = '<!channel> & <https://evil.example|here>\n@here\u2028\u0000x'
  const text = news([odd], 1, odd)
  t.notMatch(text, /[<>\n\u2028\u0000]|@here/)
  t.match(text, /&lt;!channel&gt; &amp; &lt;https/)
})
