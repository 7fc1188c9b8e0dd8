// The entry of the page: asks for a credential, shows the reference, and handles the keyboard.
import { byId } from './dom.js'
import { PREFIX } from './prefix.js'
import { createReference } from './reference.js'
import { call } from './request.js'
import { fetchDocument, forget, keyCredential, logIn, recall, Refused, remember } from './session.js'

/** @typedef {import('./session.js').Credential} Credential */

const filter = /** @type {HTMLInputElement} */ (byId('filter'))
/** @type {import('./reference.js').Reference | undefined} */
let reference

/** @param {() => Promise<Credential>} findCredential */
async function open(findCredential) {
  byId('problem').replaceChildren()
  try {
    const credential = await findCredential()
    const document = await fetchDocument(credential)
    remember(credential)
    show(document, credential)
  } catch (error) {
    if (error instanceof Refused) forget()
    askForCredential(error instanceof Refused ? error.message : 'The server cannot be reached')
  }
}

/** @param {string} [problem] */
function askForCredential(problem) {
  byId('sign-in').hidden = false
  byId('problem').replaceChildren(problem ?? '')
}

/** @param {import('./document.js').Document} document @param {Credential} credential */
function show(document, credential) {
  reference = createReference(document, {
    origin: location.origin + PREFIX,
    call: (draft, signal) => call(draft, credential, signal),
  })
  byId('version').replaceChildren(`API reference ${document.info.version}`)
  byId('groups').replaceChildren(...reference.navigation)
  byId('entries').replaceChildren(...reference.content)
  byId('entries').querySelector('.intro')?.append(byId('guides'))
  byId('sign-in').hidden = true
  for (const id of ['content', 'tools']) byId(id).hidden = false
  applyFilter()
  openTarget()
}

/** Opens and shows the target of the `#` in the address. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  markInNavigation()
  if (target === null) return
  if (target instanceof HTMLDetailsElement) openFold(target)
  target.scrollIntoView()
}

function markInNavigation() {
  for (const link of byId('groups').querySelectorAll('a')) {
    const isTarget = link.hash === location.hash
    if (isTarget) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
    if (isTarget) link.scrollIntoView({ block: 'nearest' })
  }
}

/** @param {HTMLDetailsElement} details */
function openFold(details) {
  details.hidden = false
  details.open = true
  details.querySelector('summary')?.focus({ preventScroll: true })
}

/** @returns {HTMLElement[]} */
function applyFilter() {
  if (reference === undefined) return []
  const text = filter.value.trim()
  const { shown, total, schemas } = reference.filter(text)
  byId('count').replaceChildren(text === '' ? `${total} endpoints` : `${shown.length} of ${total}`)
  byId('nothing').hidden = shown.length + schemas > 0
  const intro = byId('entries').querySelector('.intro')
  if (intro instanceof HTMLElement) intro.hidden = text !== ''
  return shown
}

/** Moves among the links that are shown. @param {number} step */
function moveInNavigation(step) {
  const links = [...byId('groups').querySelectorAll('a')].filter((link) => link.offsetParent !== null)
  const at = links.findIndex((link) => link === document.activeElement)
  if (at + step < 0) filter.focus()
  else links[Math.min(links.length - 1, at + step)]?.focus()
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
  if (event.key === '/' && !isTyping && reference !== undefined) {
    event.preventDefault()
    filter.select()
  }
  const isInNavigation = event.target === filter || byId('groups').contains(/** @type {Node} */ (event.target))
  if (isInNavigation && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault()
    moveInNavigation(event.key === 'ArrowDown' ? 1 : -1)
  }
}

filter.addEventListener('input', applyFilter)
byId('clear-filter').addEventListener('click', () => {
  filter.value = ''
  applyFilter()
  filter.focus()
})
filter.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') filter.value = ''
  const [first] = applyFilter()
  if (event.key === 'Enter' && first !== undefined) location.hash = first.id
})
document.addEventListener('keydown', onKey)
addEventListener('hashchange', openTarget)

byId('toggle-all').addEventListener('click', () => {
  const folds = [...document.querySelectorAll('details.endpoint')].filter((fold) => fold instanceof HTMLDetailsElement)
  const isOpening = !folds.some((fold) => fold.open)
  for (const fold of folds) fold.open = isOpening
  byId('toggle-all').replaceChildren(isOpening ? 'Close all' : 'Open all')
})
byId('sign-out').addEventListener('click', () => {
  forget()
  location.reload()
})

/** @param {string} id @param {(fields: FormData) => Promise<Credential>} findCredential */
function onSubmit(id, findCredential) {
  const form = /** @type {HTMLFormElement} */ (byId(id))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const fields = new FormData(form)
    form.reset()
    void open(() => findCredential(fields))
  })
}
onSubmit('key-form', async (fields) => keyCredential(textOf(fields, 'key')))
onSubmit('login-form', (fields) => logIn(textOf(fields, 'username'), textOf(fields, 'password')))

/** @param {FormData} fields @param {string} name */
function textOf(fields, name) {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}

const known = recall()
if (known === undefined) askForCredential()
else void open(async () => known)
