import t from 'tap'
import { checkOddSessions } from '../../../support/insights/odd-sessions.ts'

t.test('odd sessions count like others', (t) => checkOddSessions(t))
