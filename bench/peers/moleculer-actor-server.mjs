// The actor of the Moleculer peer: a service in a process of its own that counts events in memory.
import { env } from 'node:process'
import { ServiceBroker } from 'moleculer'

const broker = new ServiceBroker({
  nodeID: 'actor',
  transporter: env.NATS_URL,
  logger: false,
})
let counted = 0
broker.createService({
  name: 'capture',
  actions: {
    count: () => {
      counted += 1
      return counted
    },
    counted: () => counted,
  },
})
await broker.start()
