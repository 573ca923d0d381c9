/** Plugin that a request installs, with its files fetched or given. */
import type { CreatePluginRequest__Output } from '../../../proto/gen/sluice/v1/CreatePluginRequest.ts'
import { invalid } from '../../access/errors.ts'
import { type FetchModule, parsePluginUrl } from '../../plugins/settings/fetch-module.ts'
import type { CompileFrontend } from '../../plugins/settings/frontend.ts'
import type { PluginType } from '../../store/plugins/plugin-store.ts'
import { echo, validationError } from '../../wire/details.ts'
import type { ManagementSettings } from '../settings.ts'
import { type PreparedSource, plainFile, prepareSource } from './plugin-source.ts'

export type PluginDraft = {
  readonly type: PluginType
  readonly name: string
  readonly source: PreparedSource
}

export type PluginDraftDeps = {
  readonly settings: Pick<ManagementSettings, 'pluginUrls'>
  readonly fetchModule: FetchModule
  readonly compileFrontend: CompileFrontend
}

const NAME_LENGTH_MAX = 200

/**
 * A plugin of type `source` has a name and brings its files, or gets them later. The others are
 * read from their URL, which answers one module.
 * @throws {AppError} `invalid_argument` of the field at fault.
 */
export async function draftPlugin(
  deps: PluginDraftDeps,
  request: CreatePluginRequest__Output,
  signal: AbortSignal,
): Promise<PluginDraft> {
  const type = typeOf(request)
  if (type === 'source') {
    if (request.name === undefined) throw required('name')
    if (request.url !== undefined) requireUrl(request.url)
    const source = await prepareSource(deps.compileFrontend, request.files, 'files')
    return { type, name: request.name, source }
  }
  if (type === 'local') {
    throw invalid('Plugins are not read from the folders of this instance.', 'plugin_type')
  }
  if (request.url === undefined) throw required('url')
  const url = requireUrl(request.url)
  if (!deps.settings.pluginUrls) {
    const detail =
      'Installing from a URL is switched off on this instance (PLUGIN_URLS). Send the files with ' +
      'the plugin_type "source".'
    throw invalid(detail, 'url')
  }
  if (request.files !== null && request.files !== undefined) {
    throw invalid('Only plugins of the plugin_type "source" bring their files.', 'files')
  }
  const fetched = await deps.fetchModule(url, signal)
  if (!fetched.ok) throw invalid(fetched.error, 'url')
  const { file, source } = fetched.value
  const saved = [plainFile(file, source)]
  const name = request.name ?? nameOf(url)
  return { type, name, source: { saved, removed: [], manifest: undefined } }
}

function typeOf({ plugin_type: type, url }: CreatePluginRequest__Output): PluginType {
  switch (type) {
    case 'local':
    case 'custom':
    case 'repository':
    case 'source':
      return type
    case undefined:
      return url === undefined ? 'source' : 'custom'
    default:
      throw invalid(`"${echo(type)}" is not a valid choice.`, 'plugin_type', 'invalid_choice')
  }
}

/** The last meaningful part of the path. */
function nameOf(url: URL): string {
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const name = parts.at(-1) ?? url.host
  return name.slice(0, NAME_LENGTH_MAX)
}

/** @throws {AppError} `invalid_argument`. */
export function requireUrl(text: string): URL {
  const url = parsePluginUrl(text)
  if (url !== undefined) return url
  throw invalid('A http or https URL without credentials is required.', 'url')
}

function required(field: string): Error {
  return validationError('required', 'This field is required.', field)
}
