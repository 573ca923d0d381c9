#!/usr/bin/env node
// Stands in for grpcurl where the machine has none (Debian does not): the options that documents use,
// the contract by reflection of the server.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js'
import { loadFileDescriptorSetFromBuffer, loadSync } from '@grpc/proto-loader'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).map((arg) => arg.replace(/^-(?=[a-z]{2})/, '--')),
  options: {
    plaintext: { type: 'boolean' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
  allowPositionals: true,
})
const [address, path] = positionals
if (values.plaintext !== true || path === undefined) throw new Error('usage')
const [service, method] = path.split('/')
const contract = await definitionOf(service)
const Client = at(loadPackageDefinition(contract), service)
const client = new Client(address, credentials.createInsecure())
const metadata = new Metadata()
for (const header of values.header ?? []) {
  const [name, ...value] = header.split(':')
  metadata.set(name, value.join(':').trim())
}
client[method](JSON.parse(values.data ?? '{}'), metadata, (error, answer) => {
  client.close()
  if (error === null) return console.log(JSON.stringify(answer, null, 2))
  console.error(`ERROR:\n  Code: ${error.code}\n  Message: ${error.details}`)
  process.exitCode = 64 + error.code
})

async function definitionOf(symbol) {
  const folder = dirname(createRequire(import.meta.url).resolve('@grpc/reflection/package.json'))
  const proto = join(folder, 'build', 'proto', 'grpc', 'reflection', 'v1', 'reflection.proto')
  const { ServerReflection } = loadPackageDefinition(loadSync(proto)).grpc.reflection.v1
  const asked = new ServerReflection(address, credentials.createInsecure())
  const call = asked.ServerReflectionInfo()
  call.end({ fileContainingSymbol: symbol })
  const answers = []
  for await (const answer of call) answers.push(answer)
  asked.close()
  const { fileDescriptorResponse: found, errorResponse } = answers[0]
  if (!found) throw new Error(errorResponse.errorMessage)
  const set = Buffer.concat(found.fileDescriptorProto.flatMap((file) => [lead(file.length), file]))
  return loadFileDescriptorSetFromBuffer(set, { longs: String })
}

/** Prefix of a file in a `FileDescriptorSet`: the tag of its field, and its length. */
function lead(length) {
  const bytes = [0x0a]
  for (let rest = length; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}

function at(tree, name) {
  return name.split('.').reduce((node, part) => node[part], tree)
}
