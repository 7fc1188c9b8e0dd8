// Sends a request from the page: fields for the parameters and the body of an endpoint, and the answer.
import { firstExample } from './document.js'
import { el } from './dom.js'
import { draftRequest, fieldName, parametersOf, prettyText, sizeWords } from './request.js'
import { choicesOf, limitWords } from './words.js'

/** @typedef {import('./document.js').Document} Document */
/** @typedef {import('./document.js').Endpoint} Endpoint */
/** @typedef {import('./document.js').Media} Media */
/** @typedef {import('./document.js').Parameter} Parameter */
/** @typedef {(draft: import('./request.js').Draft, signal: AbortSignal) => Promise<import('./request.js').Answer>} Call with the credential of the page */

/** @param {Document} document @param {Endpoint} endpoint @param {Call} call */
export function tryView(document, endpoint, call) {
  const parameters = parametersOf(document, endpoint)
  const effect = effectOf(endpoint)
  const button = el('button', { type: 'submit', class: `send ${effect.kind}` }, `Send ${endpoint.method}`)
  const stop = el('button', { type: 'button', class: 'stop' }, 'Stop')
  stop.hidden = true
  const outcome = el('p', { class: 'outcome', role: 'status' })
  const result = el('div', { class: 'result' })
  const form = el(
    'form',
    { class: 'try', 'aria-label': `Send ${endpoint.method} ${endpoint.path}`, autocomplete: 'off' },
    ...parameters.map(parameterField),
    ...bodyFields(endpoint.operation.requestBody),
    el('div', { class: 'send-line' }, button, stop, el('span', { class: `effect ${effect.kind}` }, effect.words)),
    outcome,
    result,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const fields = new FormData(form)
    const draft = draftRequest(endpoint, parameters, (name) => textOf(fields, name))
    void send(draft, call, { button, stop, outcome, result })
  })
  return form
}

/**
 * @param {import('./request.js').Draft} draft
 * @param {Call} call
 * @param {{ button: HTMLButtonElement, stop: HTMLButtonElement, outcome: HTMLElement, result: HTMLElement }} parts
 */
async function send(draft, call, { button, stop, outcome, result }) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  stop.addEventListener('click', abort)
  button.disabled = true
  stop.hidden = false
  outcome.replaceChildren('Sent, waiting for the answer …')
  result.replaceChildren()
  try {
    const answer = await call(draft, controller.signal)
    outcome.replaceChildren(...outcomeWords(answer))
    result.replaceChildren(...answerView(draft, answer))
  } catch {
    const words = controller.signal.aborted ? 'Stopped.' : 'No answer: the server cannot be reached, or it redirected.'
    outcome.replaceChildren(words)
  } finally {
    button.disabled = false
    stop.hidden = true
    stop.removeEventListener('click', abort)
  }
}

/** @param {import('./request.js').Answer} answer */
export function outcomeWords({ status, statusText, milliseconds, text, isCut }) {
  const size = sizeWords(new TextEncoder().encode(text).length)
  return [
    el('span', { class: `status s${String(status)[0]}` }, `${status} ${statusText}`.trim()),
    ` in ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms, ${isCut ? `the first ${size}` : size}`,
  ]
}

/** @param {import('./request.js').Draft} draft @param {import('./request.js').Answer} answer */
export function answerView({ method, path }, { headers, text, isCut }) {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  return [
    el('figure', {}, el('figcaption', {}, 'Request'), el('pre', { tabindex: '0' }, `${method} ${path}`)),
    el('figure', {}, el('figcaption', {}, 'Headers of the answer'), el('pre', { tabindex: '0' }, lines)),
    el(
      'figure',
      {},
      el('figcaption', {}, isCut ? 'Body, cut off here: the page reads no more' : 'Body'),
      text === '' ? el('p', { class: 'empty' }, 'empty') : el('pre', { tabindex: '0' }, prettyText(text, type)),
    ),
  ]
}

/**
 * The effect of a request, as far as the document states it.
 *
 * @param {Endpoint} endpoint
 * @returns {{ kind: string, words: string }}
 */
export function effectOf({ method, operation }) {
  if (method === 'GET') return { kind: 'reads', words: 'Reads only.' }
  if (method === 'DELETE') return { kind: 'deletes', words: 'Deletes at once, without asking again.' }
  if (operation['x-permission']?.endsWith('.read') === true) return { kind: 'reads', words: 'Reads only.' }
  return { kind: 'changes', words: 'Changes the workspace at once.' }
}

/** @param {Parameter} parameter */
function parameterField(parameter) {
  const { name, required = false, schema } = parameter
  const example = schema.examples?.[0]
  const value = required && typeof example === 'string' ? example : ''
  const hint = [required ? 'required' : '', ...limitWords(schema)].filter((words) => words !== '').join(', ')
  const label = [
    el('code', {}, name),
    el('span', { class: 'place' }, parameter.in),
    el('span', { class: 'limit' }, hint),
  ]
  const attributes = { name: fieldName(parameter), ...(required ? { required: '' } : {}) }
  const choices = schema.type === 'boolean' ? [true, false] : choicesOf(schema)
  const field =
    choices.length > 0
      ? el('select', attributes, ...['', ...choices].map((choice) => option(String(choice))))
      : el('input', { ...attributes, value, spellcheck: 'false' })
  return el('label', {}, el('span', {}, ...label), field)
}

/** @param {string} value */
function option(value) {
  return el('option', { value }, value === '' ? '(not sent)' : value)
}

/** @param {import('./document.js').Operation['requestBody']} body */
function bodyFields(body) {
  if (body === undefined) return []
  const types = Object.entries(body.content)
  const [first] = types
  if (first === undefined) return []
  const area = el('textarea', { name: 'body', rows: '4', spellcheck: 'false' }, bodyText(first[1]))
  area.setAttribute('rows', String(Math.min(24, bodyText(first[1]).split('\n').length + 1)))
  const choice = el('select', { name: 'type' }, ...types.map(([type]) => el('option', { value: type }, type)))
  choice.addEventListener('change', () => {
    const media = body.content[choice.value]
    if (media !== undefined) area.value = bodyText(media)
  })
  return [
    el('label', {}, el('span', {}, 'Content type'), choice),
    el('label', {}, el('span', {}, body.required === true ? 'Body' : 'Body (may be empty)'), area),
  ]
}

/** @param {Media} media */
function bodyText(media) {
  const example = firstExample(media)
  return typeof example === 'string' ? example : JSON.stringify(example ?? {}, null, 2)
}

/** @param {FormData} fields @param {string} name */
function textOf(fields, name) {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
