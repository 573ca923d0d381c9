import { Command } from 'commander'
import t from 'tap'
import { addServiceOptions, withOptions } from '../../../../src/cli/service/service-options.ts'

t.test('an option takes the place of its setting', async (t) => {
  const env = { HOST: '::1', DATA_DIR: '/a' }
  t.strictSame(withOptions('gateway', { host: '0.0.0.0', port: '9000' }, env), {
    HOST: '0.0.0.0',
    DATA_DIR: '/a',
    PORT: '9000',
  })
})

t.test('the other ports of a standalone follow --port, unless they are set', async (t) => {
  const ports = { PORT: '9000', GRPC_PORT: '9001', ADMIN_PORT: '9002' }
  t.strictSame(withOptions('standalone', { port: '9000' }, { GRPC_PORT: ' ' }), ports)
  t.strictSame(withOptions('standalone', { port: '9000', grpcPort: '7' }, { ADMIN_PORT: '8' }), {
    PORT: '9000',
    GRPC_PORT: '7',
    ADMIN_PORT: '8',
  })
  t.strictSame(withOptions('standalone', { port: '0' }, {}), {
    PORT: '0',
    GRPC_PORT: '0',
    ADMIN_PORT: '0',
  })
  t.strictSame(withOptions('standalone', {}, { PORT: '9000' }), { PORT: '9000' })
  t.strictSame(withOptions('standalone', { port: 'x' }, {}), { PORT: 'x' }, 'refused later')
})

t.test('a command has the options of settings that it reads', async (t) => {
  const names = (reader: Parameters<typeof addServiceOptions>[1]) => {
    const command = new Command()
    addServiceOptions(command, reader)
    return command.options.map(({ long }) => long)
  }
  t.strictSame(names('gateway'), ['--host', '--port', '--admin-port'])
  t.strictSame(names('worker'), ['--grpc-port', '--admin-port', '--data-dir'])
  t.strictSame(names('postgres'), ['--admin-port', '--data-dir'])
})
