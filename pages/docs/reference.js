// The whole reference: groups with their endpoints, their navigation, and the named schemas.
import { listEndpoints } from './document.js'
import { el, fold, paragraphs } from './dom.js'
import { endpointView, methodBadge } from './endpoint-view.js'
import { createWordFinder, hasWords, nameWords } from './filter-words.js'
import { schemaView } from './schema-view.js'

/** @typedef {import('./document.js').Document} Document */
/** @typedef {import('./document.js').Endpoint} Endpoint */

/**
 * @typedef {object} Reference
 * @property {HTMLElement[]} navigation
 * @property {HTMLElement[]} content
 * @property {(text: string) => { shown: HTMLElement[], total: number, schemas: number }} filter hides
 *   endpoints and schemas that do not match; `shown`: the endpoints left, name matches first
 */

/** @param {Document} document @param {import('./endpoint-view.js').Site} site @returns {Reference} */
export function createReference(document, site) {
  const endpoints = listEndpoints(document)
  const finder = createWordFinder(document)
  const groups = document.tags.map(({ name, description }) =>
    createGroup(
      { name, description },
      endpoints
        .filter(({ operation }) => operation.tags.includes(name))
        .map((endpoint) => ({
          view: endpointView(document, endpoint, site),
          link: linkTo(endpoint),
          names: nameWords(endpoint),
          words: finder.wordsOfEndpoint(endpoint),
        })),
    ),
  )
  const schemas = createSchemas(document, finder.wordsOfNamed)
  return {
    navigation: groups.map(({ list }) => list),
    content: [
      el('div', { class: 'intro' }, ...paragraphs(document.info.description)),
      ...groups.map(({ section }) => section),
      schemas.section,
    ],
    filter(text) {
      const found = groups.flatMap((group) => group.filter(text))
      const isCalled = Map.groupBy(found, ({ names }) => hasWords(names, text))
      const shown = [...(isCalled.get(true) ?? []), ...(isCalled.get(false) ?? [])].map(({ view }) => view)
      return { shown, total: endpoints.length, schemas: schemas.filter(text) }
    },
  }
}

/**
 * @param {{ name: string, description: string }} tag
 * @param {readonly { view: HTMLElement, link: HTMLElement, names: string, words: string }[]} members
 */
function createGroup({ name, description }, members) {
  const id = `group-${name.toLowerCase().replaceAll(/\W+/g, '-')}`
  const title = el('h2', {}, el('a', { href: `#${id}` }, name))
  const section = el('section', { id }, title, ...paragraphs(description), ...members.map(({ view }) => view))
  const list = el('div', {}, el('h3', {}, name), el('ul', {}, ...members.map(({ link }) => link)))
  return {
    section,
    list,
    /** @param {string} text */
    filter(text) {
      const shown = members.filter(({ words, view, link }) => {
        const isShown = hasWords(words, text)
        view.hidden = !isShown
        link.hidden = !isShown
        return isShown
      })
      section.hidden = shown.length === 0
      list.hidden = shown.length === 0
      return shown
    },
  }
}

/** @param {Endpoint} endpoint */
function linkTo({ method, path, operation }) {
  const words = el('span', {}, operation.summary, el('code', { class: 'where' }, path))
  return el('li', {}, el('a', { href: `#${operation.operationId}` }, methodBadge(method), words))
}

/** @param {Document} document @param {(name: string) => string} wordsOf */
function createSchemas(document, wordsOf) {
  const members = Object.entries(document.components.schemas).map(([name, schema]) => ({
    words: wordsOf(name),
    view: fold({ class: 'schema', id: `schema-${name}` }, [el('code', {}, name)], () => [
      ...paragraphs(schema.description ?? ''),
      schemaView(document, schema),
      el('pre', { tabindex: '0' }, JSON.stringify(schema.examples?.[0], null, 2)),
    ]),
  }))
  const title = el('h2', {}, el('a', { href: '#schemas' }, 'Schemas'))
  const section = el('section', { id: 'schemas' }, title, ...members.map(({ view }) => view))
  return {
    section,
    /** Returns the number of matching schemas. @param {string} text */
    filter(text) {
      for (const { words, view } of members) view.hidden = !hasWords(words, text)
      const left = members.filter(({ view }) => !view.hidden).length
      section.hidden = left === 0
      return left
    },
  }
}
