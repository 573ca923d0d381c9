/**
 * The Model Context Protocol, by its official SDK. Loaded with the first request: nobody else pays
 * for it. A server a request: it keeps nothing, so any gateway may answer the next one.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { isObject } from '../../src/core/json.ts'
import { exactJson, withNumbers } from '../../src/core/json-text/exact-numbers.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { detailOf } from './inner-request.ts'
import type { Call, Called, Tool } from './tool.ts'

const INSTRUCTIONS =
  'Sluice holds the events, persons and feature flags of a product. Begin with ' +
  'list_event_definitions, then ask questions. An error names the wrong member in attr.'

const validators = new AjvJsonSchemaValidator()
const checks = new Map<Tool, ReturnType<typeof validators.getValidator>>()

export type McpAnswering = {
  readonly version: string
  readonly tools: readonly Tool[]
  readonly call: Call
}

/** @param message the body of the request, parsed. */
export async function answerMcp(
  { version, tools, call }: McpAnswering,
  request: HttpRequest,
  message: unknown,
): Promise<HttpReply> {
  const server = new Server(
    { name: 'sluice', title: 'Sluice', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(shown) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no such tool.')
    return await runTool(tool, params.arguments ?? {}, call)
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const answer = await transport.handleRequest(webRequest(request), { parsedBody: message })
    const type = answer.headers.get('content-type') ?? 'application/json'
    const headers = [['content-type', type] as const, ['cache-control', 'no-store'] as const]
    return { status: answer.status, headers, body: withNumbers(await answer.text()) }
  } finally {
    await server.close()
  }
}

function shown({ name, title, description, input, isWrite }: Tool) {
  const { required, ...schema } = input
  return {
    name,
    title,
    description,
    inputSchema: { ...schema, required: [...(required ?? [])] },
    annotations: { readOnlyHint: !isWrite, destructiveHint: isWrite, openWorldHint: false },
  }
}

async function runTool(tool: Tool, args: object, call: Call): Promise<CallToolResult> {
  const check = checks.get(tool) ?? validators.getValidator({ ...shown(tool).inputSchema })
  checks.set(tool, check)
  const checked = check(args)
  if (!checked.valid) {
    const detail = `Wrong arguments: ${checked.errorMessage}`
    const error = { type: 'validation_error', code: 'invalid_input', detail, attr: null }
    return resultOf({ status: 400, json: error })
  }
  return resultOf(await tool.run({ ...args }, call))
}

/** The same as text, for clients that read no structure. */
function resultOf({ status, json }: Called): CallToolResult {
  const structuredContent = isObject(json) ? { ...json } : { results: json }
  if (status < 400) {
    return { content: [{ type: 'text', text: exactJson(json) }], structuredContent }
  }
  const text = `${detailOf(json)} ${exactJson(json)}`
  return { content: [{ type: 'text', text }], structuredContent, isError: true }
}

/** Request with the headers that the SDK reads; the body is already parsed. */
function webRequest(request: HttpRequest): Request {
  const headers = new Headers()
  for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
    const value = request.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request('http://sluice.invalid/mcp', { method: request.method, headers })
}
