// Shows an endpoint: its call, its parameters and body, its responses.
import { curlLine } from './curl.js'
import { follow, nameOf } from './document.js'
import { el, fold, inline, paragraphs } from './dom.js'
import { facts, schemaView } from './schema-view.js'
import { tryView } from './try-view.js'

/** @typedef {import('./document.js').Document} Document */
/** @typedef {import('./document.js').Endpoint} Endpoint */
/** @typedef {import('./document.js').Media} Media */
/** @typedef {import('./document.js').Parameter} Parameter */
/** @typedef {import('./document.js').Response} Response */

/** @typedef {{ origin: string, call: import('./try-view.js').Call }} Site where requests go, and how */

/** @param {Document} document @param {Endpoint} endpoint @param {Site} site */
export function endpointView(document, endpoint, { origin, call }) {
  const { method, path, operation } = endpoint
  const id = operation.operationId
  const summary = [
    methodBadge(method),
    el('code', { class: 'path' }, path),
    el('span', { class: 'summary' }, operation.summary),
    el('a', { class: 'anchor', href: `#${id}`, 'aria-label': `Link to ${operation.summary}` }, '#'),
  ]
  return fold({ class: 'endpoint', id }, summary, () => [
    ...paragraphs(operation.description ?? ''),
    el('p', { class: 'access' }, accessWords(operation.security)),
    copyable(curlLine(document, endpoint, origin)),
    fold({ class: 'trial' }, ['Try it: send this request from here'], () => [tryView(document, endpoint, call)]),
    ...parametersView(document, operation.parameters ?? []),
    ...bodyView(document, operation.requestBody),
    el('h4', {}, 'Responses'),
    ...Object.entries(operation.responses).map(([status, part]) =>
      responseView(document, status, /** @type {Response} */ (follow(document, part))),
    ),
  ])
}

/** @param {string} method */
export function methodBadge(method) {
  return el('span', { class: `method ${method.toLowerCase()}` }, method)
}

/** @param {readonly Record<string, unknown>[] | undefined} security */
function accessWords(security) {
  if (security === undefined) return 'Takes an API key or an access token.'
  return security.length === 0 ? 'Needs no credential.' : 'Takes an access token.'
}

/** @param {string} text */
function copyable(text) {
  const button = el('button', { type: 'button', class: 'copy' }, 'Copy')
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(
      () => button.replaceChildren('Copied'),
      () => button.replaceChildren('Not allowed'),
    )
  })
  return el('div', { class: 'curl' }, el('pre', { tabindex: '0' }, text), button)
}

/** @param {Document} document @param {readonly unknown[]} parts */
function parametersView(document, parts) {
  if (parts.length === 0) return []
  const rows = parts.map((part) => {
    const parameter = /** @type {Parameter} */ (follow(document, part))
    const { name, required, description } = parameter
    return el(
      'li',
      {},
      el('code', { class: 'name' }, name),
      el('span', { class: 'place' }, parameter.in),
      required === true ? el('span', { class: 'required' }, 'required') : undefined,
      ...facts(document, parameter.schema),
      description === undefined ? undefined : el('div', { class: 'says' }, ...inline(description)),
    )
  })
  return [el('h4', {}, 'Parameters'), el('ul', { class: 'fields' }, ...rows)]
}

/** @param {Document} document @param {import('./document.js').Operation['requestBody']} body */
function bodyView(document, body) {
  if (body === undefined) return []
  const title = el('h4', {}, 'Body', body.required === true ? undefined : ' (may be missing)')
  return [title, ...contentView(document, body.content)]
}

/** @param {Document} document @param {string} status @param {Response} response */
function responseView(document, status, { description, headers = {}, content = {} }) {
  const title = [
    el('span', { class: `status s${status[0]}` }, status),
    ' ',
    ...inline(description.split('\n')[0] ?? ''),
  ]
  return fold({ class: 'response', ...(status.startsWith('2') ? { open: '' } : {}) }, title, () => [
    ...paragraphs(description).slice(1),
    headersView(document, headers),
    ...contentView(document, content),
  ])
}

/** @param {Document} document @param {Record<string, unknown>} headers */
function headersView(document, headers) {
  const rows = Object.entries(headers).map(([name, part]) => {
    const { description } = /** @type {import('./document.js').Header} */ (follow(document, part))
    return el('li', {}, el('code', { class: 'name' }, name), el('div', { class: 'says' }, ...inline(description)))
  })
  return rows.length === 0 ? undefined : el('ul', { class: 'fields headers' }, ...rows)
}

/** @param {Document} document @param {Record<string, Media>} content */
function contentView(document, content) {
  return Object.entries(content).flatMap(([type, media]) => [
    el('p', { class: 'media' }, el('code', {}, type), schemaLink(media)),
    schemaView(document, media.schema),
    ...examplesView(media),
  ])
}

/** @param {Media} media */
function schemaLink({ schema }) {
  if (schema.$ref === undefined) return undefined
  const name = nameOf(schema.$ref)
  return el('span', {}, ' ', el('a', { href: `#schema-${name}` }, name))
}

/** @param {Media} media */
function examplesView({ example, examples }) {
  const named = Object.entries(examples ?? {}).map(([name, { value }]) => exampleView(`Example: ${name}`, value))
  return example === undefined ? named : [exampleView('Example', example), ...named]
}

/** @param {string} title @param {unknown} value */
function exampleView(title, value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return el('figure', {}, el('figcaption', {}, title), el('pre', { tabindex: '0' }, text))
}
