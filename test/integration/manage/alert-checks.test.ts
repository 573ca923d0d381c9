import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { systemClock } from '../../../src/core/clock.ts'
import { silentLog } from '../../../src/core/log.ts'
import { createOutboxSender } from '../../../src/mail/outbox-sender.ts'
import { createSmtpMailer } from '../../../src/mail/smtp-mailer.ts'
import { finishCheck, takeDueAlerts } from '../../../src/store/alerts/alert-turns.ts'
import { alertSite, checksOver } from '../../support/alerts/alerts.ts'
import { moduleArgs } from '../../support/module-url.ts'
import { readMail, startMailServer } from '../../support/servers/mail-server.ts'

const NEVER = new AbortController().signal
const NOBODY = { mails: [], chats: [], hooks: [] }

t.test('a number out of bounds is told of once, and once that it is back', async (t) => {
  const site = await alertSite(t)
  const id = await site.make({ webhookUrl: 'https://hooks.example.com' })
  const { checkDue } = checksOver(site.sql)
  await site.order(1, 2)
  await site.order(0, 9)
  await checkDue(NEVER)
  const first = await site.told()
  t.match(first, {
    mails: ['ann@example.com: Alert: Few orders fires'],
    chats: [
      /^Alert: Few orders fires: Orders is 2, below 3\. https:\/\/sluice\.example\.com\/project\//,
    ],
    hooks: [/"type":"alert.firing".*"value":2/],
  })
  t.same(await site.state(id), { state: 'Firing', value: 2, told: true })
  await checkDue(NEVER)
  t.equal((await site.checks(id)).length, 1, 'it is not due before its interval has ended')
  await site.makeDue()
  await checkDue(NEVER)
  t.same(await site.told(), NOBODY, 'it fires still')
  await site.order(1, 1)
  await site.makeDue()
  await checkDue(NEVER)
  t.match(await site.told(), {
    mails: ['ann@example.com: Recovered: Few orders'],
    chats: [/^Recovered: Few orders: Orders is 3\./],
    hooks: [/"type":"alert.recovered"/],
  })
  await site.makeDue()
  await checkDue(NEVER)
  t.same(await site.told(), NOBODY)
  t.same(await site.checks(id), [
    { state: 'Firing', value: 2, detail: 'Orders is 2, below 3.', told: true },
    { state: 'Firing', value: 2, detail: 'Orders is 2, below 3.', told: false },
    { state: 'Not firing', value: 3, detail: 'Orders is 3.', told: true },
    { state: 'Not firing', value: 3, detail: 'Orders is 3.', told: false },
  ])
})

t.test('nobody is told while it is muted; what holds at the end of the mute is told', async (t) => {
  const site = await alertSite(t)
  const id = await site.make()
  const { checkDue } = checksOver(site.sql)
  const mute = async (until: string) => {
    await site.sql`update alerts set snoozed_until = ${until}::text::timestamptz`
  }
  await mute('infinity')
  await checkDue(NEVER)
  t.same(await site.told(), NOBODY)
  t.match(await site.state(id), { state: 'Firing', told: false })
  await mute('-infinity')
  await site.makeDue()
  await checkDue(NEVER)
  t.match(await site.told(), { mails: [/fires$/] })
  await mute('infinity')
  await site.order(1, 3)
  await site.makeDue()
  await checkDue(NEVER)
  t.match(await site.state(id), { state: 'Not firing', told: true })
  t.same(await site.told(), NOBODY)
})

t.test('two workers check one interval once', async (t) => {
  const site = await alertSite(t)
  const id = await site.make()
  const workers = [checksOver(site.sql), checksOver(site.sql), checksOver(site.sql)]
  await Promise.all(workers.map(({ checkDue }) => checkDue(NEVER)))
  t.equal((await site.checks(id)).length, 1)
  t.equal((await site.told()).mails.length, 1)
})

t.test('a turn whose lease is lost writes nothing', async (t) => {
  const site = await alertSite(t)
  const id = await site.make()
  const [late] = await takeDueAlerts(site.sql, { count: 1, leaseMs: 0 })
  const { checkDue } = checksOver(site.sql)
  await checkDue(NEVER)
  t.equal((await site.told()).mails.length, 1)
  const outcome = {
    state: 'Errored' as const,
    value: null,
    detail: 'late',
    isTold: false,
    isNews: false,
    nextCheckMs: 0,
  }
  t.ok(late)
  if (late) t.equal(await finishCheck(site.sql, late, outcome), false)
  t.match(await site.checks(id), [{ state: 'Firing' }])
})

for (const point of ['before-alert-commit', 'after-alert-commit'] as const) {
  t.test(`a worker that is killed ${point} leaves exactly one message`, async (t) => {
    const server = await startMailServer(t)
    const site = await alertSite(t)
    const id = await site.make()
    const args = moduleArgs('../../support/alerts/check-child.ts', import.meta.url)
    const child = spawn(process.execPath, [...args, site.url, `${point}=crash`], {
      stdio: 'inherit',
    })
    const [, signal] = await once(child, 'exit')
    t.equal(signal, 'SIGKILL', 'it was killed')
    const { checkDue } = checksOver(site.sql)
    await checkDue(NEVER)
    // As if the lease of the dead worker had run out.
    await site.sql`update alerts set leased_until = now() where leased_until is not null`
    await checkDue(NEVER)
    const sender = createOutboxSender({
      db: site.sql,
      mailer: createSmtpMailer(
        { clock: systemClock },
        { smtpUrl: server.url, from: 'sluice@example.com' },
      ),
      log: silentLog,
      onOutcome: () => undefined,
    })
    await sender.sendDue(NEVER)
    t.equal(server.received.length, 1)
    const { text } = readMail(server.received[0]?.raw ?? '')
    t.match(
      text,
      /Orders is 0, below 3\.[\s\S]*https:\/\/sluice\.example\.com\/project\/\d+\/insights\//,
    )
    t.equal((await site.checks(id)).length, 1)
    const { chats } = await site.told()
    t.equal(chats.length, 1)
  })
}

t.test(
  'changes, shares, breakdowns, whole ranges and running intervals are compared',
  async (t) => {
    const site = await alertSite(t)
    await site.order(2, 4, { city: 'Berlin' })
    await site.order(1, 6, { city: 'Berlin' })
    await site.order(1, 1, { city: 'Rome' })
    await site.order(0, 2, { city: 'Rome' })
    const series = [{ kind: 'EventsNode', event: 'order', name: 'Orders' }]
    const byCity = {
      kind: 'TrendsQuery',
      interval: 'hour',
      series,
      breakdownFilter: { breakdown: 'city', breakdown_type: 'event' },
    }
    const whole = {
      kind: 'TrendsQuery',
      series,
      dateRange: { date_from: '2026-11-25' },
      trendsFilter: { display: 'BoldNumber' },
    }
    const ids = [
      await site.make({ condition: { type: 'relative_increase' }, bounds: { upper: 2 } }),
      await site.make({
        condition: { type: 'relative_increase' },
        bounds: { upper: 0.75 },
        boundsType: 'percentage',
      }),
      await site.make({ condition: { type: 'relative_decrease' }, bounds: { upper: 0 } }),
      await site.make({ query: byCity, bounds: { lower: 2 } }),
      await site.make({ query: whole, bounds: { upper: 12 } }),
      await site.make({ config: { check_ongoing_interval: true }, bounds: { upper: 2 } }),
    ]
    await checksOver(site.sql).checkDue(NEVER)
    const details = []
    for (const id of ids) {
      const [check] = await site.checks(id)
      details.push([check?.state, check?.detail])
    }
    t.same(details, [
      ['Firing', 'Orders increased by 3, above 2.'],
      ['Not firing', 'Orders increased by 75 %.'],
      ['Not firing', 'Orders decreased by -3.'],
      ['Firing', 'Orders is 1, below 2.'],
      ['Firing', 'Orders is 13, above 12.'],
      ['Not firing', 'Orders is 2.'],
    ])
    const { chats } = await site.told()
    t.ok(chats.some((text) => text.includes('Orders (Rome) is 1, below 2.')))
  },
)

t.test(
  'an insight that no rule can look at makes an error that is shown, and no message',
  async (t) => {
    const site = await alertSite(t)
    const id = await site.make({ query: { kind: 'LifecycleQuery', series: [] } })
    const { checkDue } = checksOver(site.sql)
    await checkDue(NEVER)
    t.match(await site.checks(id), [
      { state: 'Errored', value: null, detail: 'An alert needs an insight about trends.' },
    ])
    t.same(await site.told(), NOBODY)
  },
)

t.test('an alert whose insight was deleted is disabled, and says why', async (t) => {
  const site = await alertSite(t)
  const id = await site.make()
  await site.sql`delete from insights`
  await checksOver(site.sql).checkDue(NEVER)
  const [row] = await site.sql`select enabled, disabled_reason from alerts where id = ${id}`
  t.same(row, { enabled: false, disabled_reason: 'The insight was deleted.' })
  t.same(await site.checks(id), [])
})

t.test('the next check is due a minute after the hour of the project', async (t) => {
  const site = await alertSite(t)
  await site.sql`update projects set timezone = 'Asia/Kolkata'`
  await site.make()
  await checksOver(site.sql, { clock: systemClock }).checkDue(NEVER)
  const [row] = await site.sql<{ minute: number; isLater: boolean }[]>`
    select extract(minute from next_check_at)::int as minute, next_check_at > now() as "isLater"
    from alerts`
  t.same(row, { minute: 31, isLater: true }, 'its clock is half an hour beside that of UTC')
})

t.test('checks older than 90 days go', async (t) => {
  const site = await alertSite(t)
  const id = await site.make()
  await site.sql`
    insert into alert_checks (alert_id, due_at, state, is_told)
    select ${id}, now() - make_interval(days => d), 'Not firing', false
    from unnest(array[89, 91]) as d`
  await checksOver(site.sql).checkDue(NEVER)
  t.equal((await site.checks(id)).length, 2)
})

t.test('an interval outside of the same weekday and hour of eight weeks fires', async (t) => {
  const site = await alertSite(t)
  const week = 7 * 24
  // Berlin has left summer time in these weeks: the hours are those of its clock.
  await site.sql`update projects set timezone = 'Europe/Berlin'`
  for (let weeks = 1; weeks <= 8; weeks++) {
    await site.order(1 + weeks * week + (weeks > 4 ? 1 : 0), 40 + weeks)
    await site.order(2 + weeks * week + (weeks > 4 ? 1 : 0), 400)
  }
  await site.order(1, 44)
  const id = await site.make({
    condition: { type: 'anomaly', sensitivity: 'high' },
    noBounds: true,
  })
  const { checkDue } = checksOver(site.sql)
  await checkDue(NEVER)
  await site.order(1, 56)
  await site.makeDue()
  await checkDue(NEVER)
  t.match(await site.checks(id), [
    { state: 'Not firing', value: 44, detail: 'Orders is 44, usually 31 to 58.' },
    { state: 'Firing', value: 100, detail: 'Orders is 100, usually 31 to 58.' },
  ])
})

t.test('a new insight has nothing that is usual', async (t) => {
  const site = await alertSite(t)
  await site.order(1, 100)
  const id = await site.make({
    condition: { type: 'anomaly', sensitivity: 'high' },
    noBounds: true,
  })
  await checksOver(site.sql).checkDue(NEVER)
  const detail = 'There are not enough intervals to compare yet.'
  t.match(await site.checks(id), [{ state: 'Not firing', value: null, detail }])
})
