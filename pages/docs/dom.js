// Makes elements. Text is set as text, never as markup, so that the document cannot inject code into the page.

/** @typedef {Node | string | undefined} Child */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, string>>} [attributes]
 * @param {readonly Child[]} children undefined ones are left out
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** Paragraphs, with `code` in backticks. @param {string} text @returns {HTMLElement[]} */
export function paragraphs(text) {
  return text.split(/\n{2,}/).map((paragraph) => el('p', {}, ...inline(paragraph)))
}

/** @param {string} text @returns {Child[]} */
export function inline(text) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : el('code', {}, part)))
}

/**
 * A fold whose content is made when it is first opened.
 *
 * @param {Readonly<Record<string, string>>} attributes
 * @param {readonly Child[]} summary
 * @param {() => readonly Child[]} make
 */
export function fold(attributes, summary, make) {
  const details = el('details', attributes, el('summary', {}, ...summary))
  const fill = () => {
    if (details.children.length === 1)
      details.append(el('div', { class: 'inside' }, ...make().filter((child) => child !== undefined)))
  }
  details.addEventListener('toggle', () => {
    if (details.open) fill()
  })
  if (details.open) fill()
  return details
}

/** An element that the page always has. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The page lacks #${id}`)
  return element
}
