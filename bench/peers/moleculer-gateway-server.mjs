// The gateway of the Moleculer peer: HTTP by node:http, which costs less than the framework's own
// web service, and one call to the actor over NATS for each capture.
import { createServer } from 'node:http'
import { env } from 'node:process'
import { ServiceBroker } from 'moleculer'

const broker = new ServiceBroker({
  nodeID: 'gateway',
  transporter: env.NATS_URL,
  logger: false,
})

/** Reads the required fields of a capture; the product reads and checks far more. */
function eventOf(text) {
  const { api_key, event, distinct_id, uuid, properties } = JSON.parse(text)
  if (typeof api_key !== 'string' || typeof event !== 'string' || distinct_id === undefined) {
    throw new TypeError('not an event')
  }
  return { api_key, event, distinct_id, uuid, properties }
}

function reply(response, status, body) {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

async function capture(chunks, response) {
  let event
  try {
    event = eventOf(Buffer.concat(chunks).toString())
  } catch {
    reply(response, 400, { status: 0 }) // Whatever is wrong with it, nothing was counted.
    return
  }
  try {
    await broker.call('capture.count', event)
    reply(response, 200, { status: 1 })
  } catch (error) {
    reply(response, 503, { status: 0, error: String(error) })
  }
}

async function tellCount(response) {
  try {
    reply(response, 200, { counted: await broker.call('capture.counted') })
  } catch (error) {
    reply(response, 503, { error: String(error) })
  }
}

await broker.start()
await broker.waitForServices('capture')
createServer((request, response) => {
  const { method, url } = request
  if (method === 'GET' && url === '/counted') return void tellCount(response)
  if (method !== 'POST' || url !== '/capture/') return reply(response, 404, { status: 0 })
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => void capture(chunks, response))
}).listen(Number(env.PORT), '127.0.0.1')
