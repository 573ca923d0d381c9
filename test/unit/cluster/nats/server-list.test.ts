import t from 'tap'
import { parseServers } from '../../../../cluster/nats/server-list.ts'

const none = { tls: false, user: undefined, pass: undefined, token: undefined }

t.test('credentials are kept apart from what may be shown', (t) => {
  t.strictSame(parseServers('nats://us%40er:1:2%2F3@host:4333'), {
    ...none,
    servers: ['host:4333'],
    user: 'us@er',
    pass: '1:2/3',
  })
  t.strictSame(parseServers('nats://s3cr%3At@host'), {
    ...none,
    servers: ['host:4222'],
    token: 's3cr:t',
  })
  t.end()
})

t.test('several servers are read, with ports of any number', (t) => {
  const urls = 'nats://a, nats://b:80 ,,nats://[::1]:443,nats://10.0.0.1:5/'
  t.strictSame(parseServers(urls), {
    ...none,
    servers: ['a:4222', 'b:80', '[::1]:443', '10.0.0.1:5'],
  })
  t.strictSame(parseServers('nats://a,tls://u:p@b:1'), {
    ...none,
    tls: true,
    user: 'u',
    pass: 'p',
    servers: ['a:4222', 'b:1'],
  })
  t.end()
})
