// The whole reference: groups with their endpoints, the list of them beside it, and the named schemas.
import { listEndpoints, matches } from './document.js'
import { el, fold, paragraphs } from './dom.js'
import { endpointView, methodBadge } from './endpoint-view.js'
import { schemaView } from './schema-view.js'

/** @typedef {import('./document.js').Document} Document */
/** @typedef {import('./document.js').Endpoint} Endpoint */

/**
 * @typedef {object} Reference
 * @property {HTMLElement[]} navigation
 * @property {HTMLElement[]} content
 * @property {(text: string) => { shown: HTMLElement[], total: number }} filter hides what does not match
 */

/** @param {Document} document @param {string} origin @returns {Reference} */
export function createReference(document, origin) {
  const endpoints = listEndpoints(document)
  const groups = document.tags.map(({ name, description }) =>
    createGroup(
      { name, description },
      endpoints
        .filter(({ operation }) => operation.tags.includes(name))
        .map((endpoint) => ({ endpoint, view: endpointView(document, endpoint, origin), link: linkTo(endpoint) })),
    ),
  )
  return {
    navigation: groups.map(({ list }) => list),
    content: [
      el('div', { class: 'intro' }, ...paragraphs(document.info.description)),
      ...groups.map(({ section }) => section),
      schemaSection(document),
    ],
    filter(text) {
      const shown = groups.flatMap((group) => group.filter(text))
      return { shown, total: endpoints.length }
    },
  }
}

/**
 * @param {{ name: string, description: string }} tag
 * @param {readonly { endpoint: Endpoint, view: HTMLElement, link: HTMLElement }[]} members
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
      const shown = members.filter(({ endpoint, view, link }) => {
        const isShown = matches(endpoint, text)
        view.hidden = !isShown
        link.hidden = !isShown
        return isShown
      })
      section.hidden = shown.length === 0
      list.hidden = shown.length === 0
      return shown.map(({ view }) => view)
    },
  }
}

/** @param {Endpoint} endpoint */
function linkTo({ method, operation }) {
  return el(
    'li',
    {},
    el('a', { href: `#${operation.operationId}` }, methodBadge(method), el('span', {}, operation.summary)),
  )
}

/** @param {Document} document */
function schemaSection(document) {
  const views = Object.entries(document.components.schemas).map(([name, schema]) =>
    fold({ class: 'schema', id: `schema-${name}` }, [el('code', {}, name)], () => [
      ...paragraphs(schema.description ?? ''),
      schemaView(document, schema),
      el('pre', { tabindex: '0' }, JSON.stringify(schema.examples?.[0], null, 2)),
    ]),
  )
  return el('section', { id: 'schemas' }, el('h2', {}, el('a', { href: '#schemas' }, 'Schemas')), ...views)
}
