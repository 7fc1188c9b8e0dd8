// A request that the reader has filled in, and its answer. An answer is read up to a limit: a search may be endless.
import { follow } from './document.js'
import { PREFIX } from './prefix.js'

/** @typedef {import('./document.js').Parameter} Parameter */

/**
 * @typedef {{ method: string, path: string, headers: Record<string, string>, body?: string }} Draft
 * @typedef {object} Answer
 * @property {number} status
 * @property {string} statusText
 * @property {number} milliseconds until all was read
 * @property {readonly [string, string][]} headers
 * @property {string} text
 * @property {boolean} isCut whether there is more than `text`
 */

/** Most bytes of an answer that are read. */
export const MAX_READ = 1024 * 1024

/**
 * Parameters of the path, the query and the headers, in this order.
 *
 * @param {import('./document.js').Document} document
 * @param {import('./document.js').Endpoint} endpoint
 */
export function parametersOf(document, { operation }) {
  return (operation.parameters ?? []).map((part) => /** @type {Parameter} */ (follow(document, part)))
}

/** The name of a parameter's field in the form. @param {Parameter} parameter */
export function fieldName(parameter) {
  return `${parameter.in} ${parameter.name}`
}

/**
 * @param {import('./document.js').Endpoint} endpoint
 * @param {readonly Parameter[]} parameters
 * @param {(name: string) => string} valueOf by `fieldName`, and `body` and `type`; empty: not given
 * @returns {Draft}
 */
export function draftRequest({ method, path }, parameters, valueOf) {
  /** @param {string} place @returns {[string, string][]} */
  const given = (place) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => /** @type {[string, string]} */ ([parameter.name, valueOf(fieldName(parameter))]))
      .filter(([, value]) => value !== '')
  const values = new Map(given('path'))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? ''))
  const query = new URLSearchParams(given('query')).toString()
  const [body, type] = [valueOf('body'), valueOf('type')]
  return {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    headers: { ...Object.fromEntries(given('header')), ...(body === '' ? {} : { 'Content-Type': type }) },
    ...(body === '' ? {} : { body }),
  }
}

/**
 * Sends a request. The browser never stores the answer, and follows no redirect: a redirect is an error.
 *
 * @param {Draft} draft
 * @param {Record<string, string>} credential
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export async function call({ method, path, headers, body }, credential, signal) {
  const startedAt = performance.now()
  const response = await fetch(PREFIX + path, {
    method,
    headers: { ...headers, ...credential },
    ...(body === undefined ? {} : { body }),
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
    signal,
  })
  const { text, isCut } = await readText(response)
  const milliseconds = performance.now() - startedAt
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds,
    headers: [...response.headers],
    text,
    isCut,
  }
}

/** @param {Response} response */
async function readText({ body }) {
  if (body === null) return { text: '', isCut: false }
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let [text, bytes] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: text + decoder.decode(), isCut: false }
    text += decoder.decode(value, { stream: true })
    bytes += value.length
    if (bytes <= MAX_READ) continue
    await reader.cancel()
    return { text, isCut: true }
  }
}

/** JSON with a line for each member; anything else as it is. @param {string} text @param {string} type */
export function prettyText(text, type) {
  if (!/^application\/json\b/.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** `1.2 kB` @param {number} bytes */
export function sizeWords(bytes) {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
