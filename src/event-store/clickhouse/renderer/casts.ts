/** Reads texts as numbers and times, in the forms that `../../postgres/renderer/casts.ts` has. */
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { firstDayOf, monthAndDay } from './calendar.ts'
import { decimalOf } from './decimals.ts'
import { exactNumber } from './numbers.ts'
import { bind, type ClickHouse, integer, type Written, written } from './written.ts'

export const READINGS = {
  read_number: ([text]) => numberOf(text.sql),
  read_iso_time: ([text]) => written(isoTimeOf(text.sql)),
  read_time: ([text]) => written(timeOf(text.sql)),
  read_condition: ([text]) =>
    written(
      bind(fragment`t`, [text.sql], fragment`multiIf(t = 'true', true, t = 'false', false, null)`),
    ),
  time_of_seconds: ([seconds]) => written(unixTimeOf(exactOf(seconds))),
  seconds_of_time: ([time]) => exactNumber(secondsOf(time.sql)),
  number_of_condition: ([condition]) => integer(fragment`toInt64(${condition.sql})`),
} satisfies Partial<ClickHouse>

function numberOf(text: Fragment): Written {
  return exactNumber(decimalOf(text))
}

function exactOf({ sql, exact }: Written): Fragment {
  return exact ?? fragment`toString(${sql})`
}

/** ISO 8601 or unix seconds. `text` occurs once. */
function timeOf(text: Fragment): Fragment {
  const both = fragment`coalesce(${isoTimeOf(fragment`s`)}, ${unixTimeOf(decimalOf(fragment`s`))})`
  return bind(fragment`s`, [text], both)
}

const DATE = '([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
const CLOCK = '([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:[.]([0-9]{1,9}))?)?'
const ZONE = '[Zz]|([-+])(0[0-9]|1[0-4])(?::?([0-5][0-9]))?'
const ISO = `^${DATE}(?:[T ]${CLOCK}(?:${ZONE})?)?$`

function isoTimeOf(text: Fragment): Fragment {
  const number = (place: number) => fragment`toInt64(toUInt32OrZero(g[toUInt8(${String(place)})]))`
  const month = fragment`${number(1)} * 12 + ${number(2)} - 1`
  const day = fragment`d + ${number(3)} - 1`
  // A day that does not exist is one of the next month.
  const exists = fragment`${number(1)} > 0 and arrayElement(${monthAndDay(day)}, 2) = ${number(3)}`
  const minutes = fragment`((${day}) * 24 + ${number(4)}) * 60 + ${number(5)}`
  const offset = fragment`if(g[8] = '-', -1, 1) * (${number(9)} * 60 + ${number(10)})`
  const fraction = fragment`toInt64(round(toFloat64OrZero(concat('0.', g[7], '0')) * 1000000))`
  const micros = fragment`((${minutes} - ${offset}) * 60 + ${number(6)}) * 1000000 + ${fraction}`
  const ofDay = bind(fragment`d`, [firstDayOf(month)], fragment`if(${exists}, ${micros}, null)`)
  const groups = fragment`extractGroups(ifNull(leftUTF8(${text}, 64), ''), ${ISO})`
  return bind(fragment`g`, [groups], fragment`if(empty(g), null, ${ofDay})`)
}

const EARLIEST = fragment`toDecimal256(-62135596800, 30)`
const BEYOND = fragment`toDecimal256(253402300800, 30)`
/** Postgres makes a time of the double next to the seconds since 2000. */
const SECONDS_2000 = fragment`946684800`

/** Unix seconds of the years 1 to 9999. */
function unixTimeOf(decimal: Fragment): Fragment {
  const seconds = fragment`toFloat64(toString(s))`
  const micros = fragment`toInt64(round((${seconds} - ${SECONDS_2000}) * 1000000))
    + ${SECONDS_2000} * 1000000`
  return bind(
    fragment`s`,
    [fragment`round(toDecimal256OrNull(${decimal}, 30), 6)`],
    fragment`if(s >= ${EARLIEST} and s < ${BEYOND}, ${micros}, null)`,
  )
}

function secondsOf(micros: Fragment): Fragment {
  return fragment`toString(toDecimal128(${micros}, 6) / 1000000)`
}
