// Use cases of product sheets, and of links to them. Contract 5 §4.
import type { Caller } from '../core/accounts/caller.ts'
import { FailureCounts } from '../core/accounts/login-counts.ts'
import { networkOf } from '../core/accounts/login-throttle.ts'
import { asOwnerOf, isOwner, type Owner, OwnerFault } from '../core/accounts/rules/owner.ts'
import { assertPermission, hasPermission } from '../core/accounts/rules/permissions.ts'
import { noteModelChange } from '../core/model/model-entries.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import { notFound, PimletError } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import { findOwner } from '../store/owners.ts'
import type { Transaction } from '../store/port.ts'
import {
  expiryOf,
  hashToken,
  isOver,
  isSameHash,
  linkIdOf,
  MAX_LINKS,
  notedLink,
  openToken,
  type SheetFields,
  type SheetLink,
  type SheetLinkFields,
  type SheetLinkView,
  viewOf,
} from './rules/sheet-link.ts'
import { fixContent, makePage, type SheetDeps } from './sheet-maker.ts'

const TOKEN_BYTES = 32
/** Limits within 15 minutes: visits of one link, and unknown tokens from one network. */
const MAX_VISITS = 300
const MAX_GUESSES = 20

interface LinkDeps extends SheetDeps {
  readonly system: System
  /** The address of the server, before the paths; may be empty. */
  readonly publicUrl: string
}

type Chunks = AsyncIterable<Uint8Array>

export function createSheetService(deps: LinkDeps) {
  const { store, system } = deps
  const throttle = createVisitThrottle(system)

  return {
    /** @throws VALIDATION_ERROR, NOT_FOUND, errors of the search */
    async page(caller: Caller, fields: SheetFields, signal: AbortSignal): Promise<Chunks> {
      return makePage(deps, caller, await fixContent(deps, caller, fields, signal), signal)
    },

    /**
     * Only this result has the `url`, because storage keeps a hash of the token.
     * @param prefix the beginning of the URL if the server has no public address
     * @throws VALIDATION_ERROR, NOT_FOUND, PERMISSION_DENIED, LIMIT_EXCEEDED
     */
    async create(
      caller: Caller,
      fields: SheetLinkFields,
      prefix: string,
      signal: AbortSignal,
    ): Promise<SheetLinkView & { readonly url: string }> {
      if (fields.purpose === 'share') assertPermission(caller.role, 'records.share')
      const content = await fixContent(deps, caller, fields, signal)
      const token = system.randomBytes(TOKEN_BYTES).toString('base64url')
      const hash = hashToken(token)
      const now = system.now()
      const { name, purpose } = fields
      const times = { createdAt: now.toISOString(), expiresAt: expiryOf(fields, now) }
      const identity = { id: linkIdOf(hash), hash, purpose, name, ...asOwnerOf(caller) }
      const link: SheetLink = { ...identity, ...content, ...times, visits: 0, lastVisitAt: null }
      const url = `${deps.publicUrl === '' ? prefix : deps.publicUrl}/public/sheets/${token}`
      return store.transaction(async (tx) => {
        await makeRoom(tx, link, now)
        await tx.sheetLinks.insert(link)
        if (purpose === 'share')
          noteModelChange(tx, system, caller, { entityType: 'sheetLink', after: notedLink(link) })
        return keepAnswer(tx, caller, { ...viewOf(link), url })
      })
    },

    /** The caller's links that have not ended, the newest first; `all`: everybody's. @throws PERMISSION_DENIED */
    async list(caller: Caller, { all = false }: { readonly all?: boolean | undefined }): Promise<SheetLinkView[]> {
      if (all) assertPermission(caller.role, 'users.manage')
      const now = system.now()
      const links = await store.read.sheetLinks.list()
      const isListed = (link: SheetLink): boolean =>
        link.purpose === 'share' && !isOver(link, now) && (all || isOwner(caller, link))
      return links.filter(isListed).map(viewOf).toReversed()
    },

    /** Ends the link. @throws NOT_FOUND, also for a link of another person without the permission */
    revoke: (caller: Caller, id: string): Promise<void> =>
      store.transaction(async (tx) => {
        const link = await tx.sheetLinks.get(id)
        const mayEnd = link !== undefined && (isOwner(caller, link) || hasPermission(caller.role, 'users.manage'))
        if (!mayEnd) throw notFound('Sheet link', id)
        await endLink(tx, system, caller, link)
      }),

    /**
     * The page for a reader with the token, with the rights of the person who made the link.
     * @throws NOT_FOUND also where the link has ended or its owner lost the right, RATE_LIMITED
     */
    async visit(token: string, address: string, signal: AbortSignal): Promise<Chunks> {
      const opened = openToken(token)
      const isKnown = opened !== undefined && (await store.read.sheetLinks.get(opened.id)) !== undefined
      if (isKnown) throttle.enter(opened.id)
      const owner = isKnown ? await enterLink(deps, opened) : undefined
      if (owner === undefined) {
        throttle.noteGuess(address)
        throw new PimletError(
          'NOT_FOUND',
          'No link has this address: it has ended, or the address is not whole. Ask whoever sent it for a new one',
        )
      }
      return makePage(deps, owner.caller, owner.link, signal)
    },
  }
}

/** Ends the links that show records by a template which is deleted: without it they would show all values. */
export async function endLinksOf(tx: Transaction, system: System, caller: Caller, templateId: string): Promise<void> {
  for (const link of await tx.sheetLinks.list())
    if (link.templateId === templateId) await endLink(tx, system, caller, link)
}

async function endLink(tx: Transaction, system: System, caller: Caller, link: SheetLink): Promise<void> {
  await tx.sheetLinks.delete(link.id)
  if (link.purpose === 'share')
    noteModelChange(tx, system, caller, { entityType: 'sheetLink', before: notedLink(link) })
}

/** Counts the visit. Undefined: there is no such link any more. */
async function enterLink(
  { store, system }: LinkDeps,
  opened: { readonly id: string; readonly hash: string },
): Promise<{ readonly caller: Caller; readonly link: SheetLink } | undefined> {
  const now = system.now()
  return store.transaction(async (tx) => {
    const link = await tx.sheetLinks.get(opened.id)
    if (link === undefined || !isSameHash(link.hash, opened.hash) || isOver(link, now)) return undefined
    try {
      const { name, role } = await findOwner(tx, now, link)
      assertPermission(role, 'records.read')
      if (link.purpose === 'share') assertPermission(role, 'records.share')
      await tx.sheetLinks.update({ ...link, visits: link.visits + 1, lastVisitAt: now.toISOString() })
      return { caller: { id: link.ownerId, kind: link.ownerKind, name, role }, link }
    } catch (error) {
      if (error instanceof OwnerFault || (error instanceof PimletError && error.code === 'PERMISSION_DENIED'))
        return undefined
      throw error
    }
  })
}

/** Removes links that have ended. @throws LIMIT_EXCEEDED */
async function makeRoom(tx: Transaction, { purpose, ...owner }: SheetLink, now: Date): Promise<void> {
  const links = await tx.sheetLinks.list()
  for (const link of links) if (isOver(link, now)) await tx.sheetLinks.delete(link.id)
  const most = MAX_LINKS[purpose]
  const alike = links.filter((link) => link.purpose === purpose && !isOver(link, now))
  if (alike.length < most) return
  const excess = purpose === 'print' ? findExcess(alike, owner) : undefined
  if (excess !== undefined) return tx.sheetLinks.delete(excess.id)
  const what = purpose === 'share' ? 'links to sheets' : 'sheets that wait to be printed'
  throw new PimletError('LIMIT_EXCEEDED', `A workspace has at most ${most} ${what}`)
}

/** The oldest link of whoever has the most, so that nobody keeps others from printing. Undefined: the owner has the most. */
function findExcess(links: readonly SheetLink[], owner: Owner): SheetLink | undefined {
  const byOwner = Map.groupBy(links, ({ ownerKind, ownerId }) => `${ownerKind} ${ownerId}`)
  const own = byOwner.get(`${owner.ownerKind} ${owner.ownerId}`)?.length ?? 0
  const [most] = [...byOwner.values()].toSorted((one, other) => other.length - one.length)
  return most !== undefined && most.length > own ? most[0] : undefined
}

/** Limits visits of one link, and guesses of one network. So guesses block no reader of a link. */
function createVisitThrottle(system: Pick<System, 'now'>) {
  const now = (): number => system.now().getTime()
  const visits = new FailureCounts(now, MAX_VISITS)
  const guesses = new FailureCounts(now, MAX_GUESSES)
  const assertFewer = (counted: FailureCounts, subject: string, most: number, message: string): void => {
    const until = counted.whenFewer(subject, most)
    if (until === undefined) return
    throw new PimletError('RATE_LIMITED', `${message}: try again later`, { retryAfter: (until - now()) / 1000 })
  }
  return {
    /** @throws RATE_LIMITED */
    enter(linkId: string): void {
      assertFewer(visits, linkId, MAX_VISITS, 'This link has too many visits')
      visits.add(linkId)
    },
    /** @throws RATE_LIMITED */
    noteGuess(address: string): void {
      const network = networkOf(address)
      assertFewer(guesses, network, MAX_GUESSES, 'Too many addresses of no link from your address')
      guesses.add(network)
    },
  }
}
