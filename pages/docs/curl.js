// A shell command that calls an endpoint, with the examples of the document.
import { firstExample, follow } from './document.js'

/** @typedef {import('./document.js').Parameter} Parameter */

/**
 * @param {import('./document.js').Document} document
 * @param {import('./document.js').Endpoint} endpoint
 * @param {string} origin `http://HOST:PORT`
 */
export function curlLine(document, { method, path, operation }, origin) {
  const parameters = (operation.parameters ?? []).map((part) => /** @type {Parameter} */ (follow(document, part)))
  const address = quote(origin + fillPath(path, parameters) + requiredQuery(parameters))
  const call = method === 'GET' ? `curl ${address}` : `curl -X ${method} ${address}`
  return [call, ...credential(operation.security), ...body(operation.requestBody?.content)].join(' \\\n  ')
}

/** @param {string} path @param {readonly Parameter[]} parameters */
function fillPath(path, parameters) {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name)
    return encodeURIComponent(parameter === undefined ? name.toUpperCase() : exampleOf(parameter))
  })
}

/** @param {readonly Parameter[]} parameters */
function requiredQuery(parameters) {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true)
  const pairs = required.map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** @param {Parameter} parameter */
function exampleOf({ name, schema }) {
  const example = schema.examples?.[0]
  return typeof example === 'string' ? example : name.toUpperCase()
}

/** @param {readonly Record<string, unknown>[] | undefined} security undefined: the default of the document */
function credential(security) {
  if (security?.length === 0) return []
  const isKeyTaken = security === undefined || security.some((scheme) => 'serviceApiKey' in scheme)
  return [isKeyTaken ? '-H "X-Service-ApiKey: $PIMLET_API_KEY"' : '-H "Authorization: Bearer $PIMLET_TOKEN"']
}

/** @param {Record<string, import('./document.js').Media> | undefined} content */
function body(content) {
  if (content === undefined) return []
  const [type = '', media] = Object.entries(content)[0] ?? []
  if (type !== 'application/json') return [`-H ${quote(`Content-Type: ${type}`)}`, '--data-binary @FILE']
  const value = media === undefined ? undefined : firstExample(media)
  return [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(value, null, 2))}`]
}

/** For a POSIX shell. @param {string} text */
function quote(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
