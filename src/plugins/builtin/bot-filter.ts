/** The built-in plugin that drops or marks events of bots. */
import type { PluginEvent } from '../ports.ts'
import { BOT_AGENTS } from './bot-agents.ts'
import { defineBuiltin } from './define.ts'

/** Characters of a user agent that are looked at. */
const BUILTIN_USER_AGENT_CHARS_MAX = 1_000

export const botFilter = defineBuiltin({
  name: 'bot-filter',
  title: 'Bot filter',
  description: 'Drops or marks events of crawlers and other programs, by their user agent.',
  schema: [
    {
      key: 'action',
      name: 'What becomes of the event of a bot',
      type: 'choice',
      choices: ['drop', 'mark'],
      default: 'drop',
      hint: 'mark: it has the properties $is_bot and $bot_name then.',
    },
    {
      key: 'more_agents',
      name: 'More bots',
      type: 'string',
      hint: 'Parts of user agents, separated by commas; upper and lower case are the same.',
    },
    {
      key: 'allowed_agents',
      name: 'No bots',
      type: 'string',
      hint: 'Parts of user agents of which none is a bot, whatever else they hold.',
    },
  ],
  methods: ['processEvent'],
  create(settings) {
    const drops = settings.choice('action', ['drop', 'mark']) === 'drop'
    const bots = [...BOT_AGENTS, ...settings.list('more_agents').map(lower)]
    const allowed = settings.list('allowed_agents').map(lower)
    return {
      processEvent(event) {
        const agent = userAgentOf(event)
        if (agent === undefined) return event
        const bot = bots.find((part) => agent.includes(part))
        if (bot === undefined || allowed.some((part) => agent.includes(part))) return event
        if (drops) return null
        event.properties['$is_bot'] = true
        event.properties['$bot_name'] = bot
        return event
      },
    }
  },
})

function lower(text: string): string {
  return text.toLowerCase()
}

/** The user agent in lower case, cut to the length that user agents have. */
function userAgentOf({ properties }: PluginEvent): string | undefined {
  const agent = properties['$raw_user_agent'] ?? properties['$user_agent']
  if (typeof agent !== 'string') return undefined
  return agent.slice(0, BUILTIN_USER_AGENT_CHARS_MAX).toLowerCase()
}
