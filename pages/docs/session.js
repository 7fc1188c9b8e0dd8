// The credential of this tab, for the document and for the reader's requests. Passwords are not stored.

import { PREFIX } from './prefix.js'

const STORED = `${PREFIX}pimlet-docs-credential`

/** @typedef {Record<string, string>} Credential a header, by its name */

export class Refused extends Error {}

/** @param {string} key @returns {Credential} @throws {Refused} for a text that cannot be a header */
export function keyCredential(key) {
  const text = key.trim()
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Refused('This is not an API key')
  return { 'X-Service-ApiKey': text }
}

/** @param {string} username @param {string} password @returns {Promise<Credential>} */
export async function logIn(username, password) {
  const { accessToken } = await send(`${PREFIX}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return { Authorization: `Bearer ${accessToken}` }
}

/** @param {Credential} credential @returns {Promise<import('./document.js').Document>} */
export function fetchDocument(credential) {
  return send(`${PREFIX}/api/v1/openapi.json`, { headers: credential })
}

/** @returns {Credential | undefined} */
export function recall() {
  const text = sessionStorage.getItem(STORED)
  return text === null ? undefined : JSON.parse(text)
}

/** @param {Credential} credential */
export function remember(credential) {
  sessionStorage.setItem(STORED, JSON.stringify(credential))
}

export function forget() {
  sessionStorage.removeItem(STORED)
}

/** @param {string} path @param {RequestInit} request @throws {Refused} with the server's message */
async function send(path, request) {
  const response = await fetch(path, { ...request, credentials: 'omit', redirect: 'error' })
  const body = await response.json()
  if (response.ok) return body
  const wait = response.headers.get('Retry-After')
  throw new Refused(wait === null ? body.message : `${body.message} (in ${wait} seconds)`)
}
