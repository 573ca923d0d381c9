/** Numbers that no double holds keep their digits through HTTP: what is sent is what is found. */
import t from 'tap'
import {
  ALL,
  breakdownQuestion,
  buyAll,
  buyersIn,
  countQuestion,
  DECIMAL,
  HUGE,
  isHeld,
  LONG,
  NEAR,
  textCalls,
} from '../../support/numbers/long-numbers.ts'
import { startStandalone } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

const PROJECT = '/api/projects/1'

t.test('numbers through HTTP', async (t) => {
  const product = await startStandalone(t)
  const { ask, capture, events, filters, flags, persons, query } = textCalls(product)
  await buyAll(product)

  await t.test('an event and its person have the digits that were sent', async (t) => {
    const listed = (await events('[]')).replaceAll('\\"', '"')
    const shown = await ask(`${PROJECT}/persons/?limit=100`)
    for (const number of ALL) {
      t.ok(listed.includes(`"order": ${number},`) || listed.includes(`"order":${number},`), number)
      t.ok(isHeld(listed, number), `event: ${number}`)
      t.ok(isHeld(shown, number), `person: ${number}`)
    }
    const csv = await ask(`${PROJECT}/events/?event=bought&format=csv`)
    const exported = await ask(`${PROJECT}/persons/buyer-0/export/?by=distinct_id`)
    for (const number of ALL) t.ok(isHeld(csv, number), `CSV: ${number}`)
    t.ok(isHeld(exported, LONG), 'all that is known of a person')
  })

  await t.test('a filter finds its own number and not the double next to it', async (t) => {
    for (const [place, number] of ALL.entries()) {
      for (const value of [number, `"${number}"`, `[${number}]`]) {
        const wanted = number.length === 22 && value !== number ? undefined : [`buyer-${place}`]
        if (wanted === undefined) continue
        t.strictSame(buyersIn(await events(filters('order', value))), wanted, `events: ${value}`)
        const found = buyersIn(await persons(filters('order', value, 'person')))
        t.strictSame(found, wanted, `persons: ${value}`)
        const counted = await query(countQuestion(filters('order', value)))
        t.match(counted, /"count":1[,}]/, `trend: ${value}`)
      }
    }
    t.strictSame(buyersIn(await events(filters('order', LONG, 'event', 'gt'))), ['buyer-5'])
    t.strictSame(buyersIn(await events(filters('order', NEAR, 'event', 'gte'))), [
      ...['buyer-0', 'buyer-1', 'buyer-5'],
    ])
  })

  await t.test('each number is a value of a breakdown, and a group', async (t) => {
    const answer = await query(breakdownQuestion())
    for (const number of ALL) {
      t.ok(answer.includes(`"breakdown_value":"${number}"`), number)
    }
    const source = breakdownQuestion()
    const actors = `{"kind":"ActorsQuery","source":{"kind":"InsightActorsQuery","source":${source},"breakdown":${LONG}}}`
    t.strictSame(buyersIn(await query(actors)), ['buyer-0'])
    const listed = await ask(`${PROJECT}/events/?event=bought`)
    t.ok(isHeld(listed.replaceAll('\\"', '"'), LONG))
  })

  await t.test('a flag answers like its cohort', async (t) => {
    for (const [place, number] of ALL.entries()) {
      if (number.length === 22) continue
      const filter = filters('order', number, 'person')
      const made = await ask(
        `${PROJECT}/feature_flags/`,
        `{"key":"flag-${place}","filters":{"groups":[{"properties":${filter},"rollout_percentage":100.00000000000000001}]}}`,
      )
      const isDouble = number === NEAR
      t.ok(
        made.includes(`"value":${isDouble ? number : `"${number}"`}`),
        'the value has its digits',
      )
      const group = `{"type":"AND","values":${filter}}`
      await ask(`${PROJECT}/cohorts/`, `{"name":"c${place}","filters":{"properties":${group}}}`)
    }
    const cohorts: readonly { id: number; name: string }[] = JSON.parse(
      await ask(`${PROJECT}/cohorts/?limit=100`),
    ).results
    for (const [place, number] of ALL.entries()) {
      if (number.length === 22) continue
      const cohort = cohorts.find(({ name }) => name === `c${place}`)
      const members = await ask(`${PROJECT}/cohorts/${cohort?.id}/persons/`)
      t.strictSame(buyersIn(members), [`buyer-${place}`], `cohort: ${number}`)
      const stored = await flags(`"distinct_id":"buyer-${place}"`)
      const sent = await flags(`"distinct_id":"x","person_properties":{"order":${number}}`)
      for (const [other] of ALL.entries()) {
        if (ALL[other]?.length === 22) continue
        const wanted = new RegExp(`"flag-${other}":\\{[^}]*"enabled":${other === place}`)
        t.match(stored, wanted, `stored ${number}: flag ${other}`)
        t.match(sent, wanted, `sent ${number}: flag ${other}`)
      }
    }
  })

  await t.test('a property that the interface sets has its digits', async (t) => {
    const path = `${PROJECT}/persons/buyer-0/`
    await ask(path, `{"properties":{"later":${HUGE},"part":{"value":${DECIMAL}}}}`, 'PATCH')
    const shown = await ask(path)
    t.ok(isHeld(shown, HUGE))
    t.match(shown, new RegExp(`"value": ?${DECIMAL}[^0-9]`))
  })

  await t.test(
    'simultaneous changes keep them: merges, changes in one batch, groups',
    async (t) => {
      await capture([
        `{"event":"a","distinct_id":"one","properties":{"$set":{"x":${LONG}},"$set_once":{"y":${LONG}}}}`,
        `{"event":"b","distinct_id":"one","properties":{"$set":{"z":[${LONG}]}}}`,
        `{"event":"$identify","distinct_id":"two","properties":{"$anon_distinct_id":"one","$set":{"w":${LONG}}}}`,
        `{"event":"$groupidentify","distinct_id":"two","properties":{"$group_type":"shop","$group_key":${LONG},"$group_set":{"size":${LONG}}}}`,
        `{"event":"c","distinct_id":${LONG},"timestamp":1795000000.1234567890,"properties":{"$elements":[{"tag_name":"a","attr__n":${LONG}}]}}`,
      ])
      await until('the person is one', async () => {
        return (await ask(`${PROJECT}/persons/two/`)).includes('"one"')
      })
      const shown = await ask(`${PROJECT}/persons/two/`)
      for (const member of [
        `"x": ?${LONG}`,
        `"y": ?${LONG}`,
        `"z": ?\\[${LONG}\\]`,
        `"w": ?${LONG}`,
      ]) {
        t.match(shown, new RegExp(`${member}[^0-9]`))
      }
      const made = `{"key":"shops","filters":{"aggregation_group_type_index":0,"groups":[{"properties":[{"key":"size","value":${LONG},"operator":"exact","type":"group","group_type_index":0}]}]}}`
      await ask(`${PROJECT}/feature_flags/`, made)
      for (const key of [LONG, NEAR]) {
        const answer = await flags(`"distinct_id":"x","groups":{"shop":${key}}`)
        t.match(answer, new RegExp(`"shops":\\{[^}]*"enabled":${key === LONG}`), key)
      }
      const [, event = ''] =
        /"results":\[(.*)\]/.exec(await ask(`${PROJECT}/events/?event=c`)) ?? []
      t.match(event, new RegExp(`"distinct_id":"${LONG}"`))
      t.match(event, /"timestamp":"2026-11-18T11:06:40\.123/)
      t.match(event, new RegExp(`attr__n=\\\\+"${LONG}`))
    },
  )

  await t.test('a number beyond doubles by its exponent is null for all', async (t) => {
    for (const number of ['1e400', '1e99999', `${LONG}e99999`]) {
      await capture([
        `{"event":"far","distinct_id":"far","properties":{"n":${number},"$set":{"n":${number}}}}`,
      ])
    }
    await until('they are there', async () => {
      return JSON.parse(await ask(`${PROJECT}/events/?event=far`)).results.length === 3
    })
    const listed = (await ask(`${PROJECT}/events/?event=far`)).replaceAll('\\"', '"')
    t.equal(listed.match(/"n": ?null/g)?.length, 6)
    t.match(await ask(`${PROJECT}/persons/far/`), /"n": ?null/)
  })
})
