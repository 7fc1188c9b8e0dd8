// The signed-in user. The token is in memory and in this tab's storage, and is sent to the other tabs. One tab renews
// the token at half its life; an hour without input ends it. Contract 2 §2 (auth); 3 §7 (logout). No cookie, and
// nothing that outlives the tab.
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type Browser, forget, keep, kept } from './browser.ts'
import { isTabMessage, isToken, type TabMessage, type Token } from './tab-messages.ts'

const KEPT = 'pimlet-session'
const RENEWING = 'pimlet-renewing'
const LAST_INPUT = 'pimlet-input'

/** Milliseconds in which other tabs can answer. */
const ASKING = 250
const IDLE = 60 * 60 * 1000
/** Interval at which input is noted, and idleness checked. */
const NOTING = 30_000

/** `asking`: other tabs are asked for a token; `over`: the session has ended, and the sign-in covers the page. */
type SessionState = 'asking' | 'in' | 'out' | 'over'

/** The routes of the service that a session uses. */
export interface SessionService {
  login(username: string, password: string): Promise<Token>
  refresh(token: string): Promise<Token>
  logout(token: string): Promise<void>
}

export class Session {
  readonly #browser: Browser
  readonly #service: SessionService
  readonly #channel: ReturnType<Browser['openChannel']>
  readonly #token = signal<Token | null>(null)
  readonly #state = signal<SessionState>('asking')
  /** Callers that wait for a new token. */
  #waiting: (() => void)[] = []
  #stopRenewal: () => void = () => undefined
  #noted = 0
  readonly #ended = new AbortController()
  /** The owner of this page: for another user the page reloads. */
  #ownerId: string | undefined
  readonly state: ReadonlySignal<SessionState> = this.#state
  readonly user = computed(() => this.#token.value?.user ?? null)
  /** Aborted after the sign-out, before the page reloads: running requests would be refused. */
  readonly ended = this.#ended.signal

  constructor(browser: Browser, service: SessionService) {
    this.#browser = browser
    this.#service = service
    this.#channel = browser.openChannel('pimlet')
    this.#channel.listen((message) => {
      if (isTabMessage(message)) this.#hear(message)
    })
  }

  get token(): string | null {
    return this.#token.peek()?.accessToken ?? null
  }

  /** Takes the token of this tab or of another tab; otherwise the user must sign in. */
  async start(): Promise<void> {
    this.#browser.on('input', () => this.#noteInput())
    const own = kept(this.#browser.own, KEPT)
    if (this.#isIdle()) forget(this.#browser.own, KEPT)
    else if (isToken(own) && this.#isAlive(own)) return this.#take(own)
    await this.#askTabs(null)
    if (this.#state.peek() === 'asking') this.#state.value = 'out'
  }

  /** @throws Refusal of the login */
  async signIn(username: string, password: string): Promise<void> {
    const token = await this.#service.login(username, password)
    keep(this.#browser.shared, LAST_INPUT, this.#browser.now())
    this.#take(token)
    this.#tell({ kind: 'token', token })
  }

  /** Replaces the token: a new password ends all tokens, and returns a new one. */
  replace(token: Token): void {
    this.#take(token)
    this.#tell({ kind: 'token', token })
  }

  /** Ends the token, in all tabs. The caller must delete other stored data (drafts) before. */
  async signOut(): Promise<void> {
    const token = this.token
    this.#tell({ kind: 'out' })
    this.#end()
    if (token !== null) await this.#service.logout(token).catch(() => undefined)
    this.#browser.reload()
  }

  /** Gets a new token after a 401: from the other tabs, or else from the user's sign-in. */
  async renewedToken(refused: string | null): Promise<string | null> {
    if (this.token !== null && this.token !== refused) return this.token
    await this.#askTabs(refused)
    if (this.token !== null && this.token !== refused) return this.token
    if (this.#state.peek() === 'out') return null
    this.#expire()
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.token
  }

  /** Runs periodically: an hour without input ends the token. */
  checkIdleness(): void {
    if (this.#state.peek() !== 'in' || !this.#isIdle()) return
    const token = this.token
    this.#expire()
    if (token !== null) void this.#service.logout(token).catch(() => undefined)
  }

  #take(token: Token): void {
    const isOther = this.#ownerId !== undefined && this.#ownerId !== token.user.id
    this.#ownerId = token.user.id
    keep(this.#browser.own, KEPT, token)
    if (isOther) {
      this.#browser.reload()
      return
    }
    this.#token.value = token
    this.#state.value = 'in'
    this.#planRenewal(token)
    const waiting = this.#waiting
    this.#waiting = []
    for (const goOn of waiting) goOn()
  }

  #expire(): void {
    forget(this.#browser.own, KEPT)
    this.#stopRenewal()
    this.#state.value = 'over'
  }

  #end(): void {
    forget(this.#browser.own, KEPT)
    this.#stopRenewal()
    this.#token.value = null
    this.#state.value = 'out'
    this.#ended.abort()
  }

  #planRenewal(token: Token): void {
    this.#stopRenewal()
    const left = Date.parse(token.expiresAt) - this.#browser.now()
    // A random delay, so that not all tabs renew at the same moment.
    const wait = Math.max(1000, left / 2) + this.#browser.random() * 5000
    this.#stopRenewal = this.#browser.after(Math.min(wait, 2 ** 31 - 1), () => void this.#renew(token))
  }

  async #renew(token: Token): Promise<void> {
    const { shared } = this.#browser
    const claimed = Number(kept(shared, RENEWING) ?? 0)
    if (this.#browser.now() - claimed < NOTING) return
    keep(shared, RENEWING, this.#browser.now())
    const renewed = await this.#service.refresh(token.accessToken).catch(() => undefined)
    if (renewed === undefined || this.token !== token.accessToken) return
    this.#take(renewed)
    this.#tell({ kind: 'token', token: renewed })
  }

  #hear(message: TabMessage): void {
    const own = this.#token.peek()
    if (message.kind === 'ask') {
      const isGood = own !== null && this.#state.peek() === 'in' && own.accessToken !== message.refused
      if (isGood) this.#tell({ kind: 'token', token: own })
    } else if (message.kind === 'token') {
      if (
        own === null ||
        own.user.id !== message.token.user.id ||
        isLater(message.token, own) ||
        this.#state.peek() !== 'in'
      )
        this.#take(message.token)
    } else if (own !== null) {
      this.#end()
      this.#browser.reload()
    }
  }

  async #askTabs(refused: string | null): Promise<void> {
    this.#tell({ kind: 'ask', refused })
    await new Promise<void>((resolve) => {
      const stop = this.#browser.after(ASKING, resolve)
      this.#waiting.push(() => {
        stop()
        resolve()
      })
    })
  }

  #tell(message: TabMessage): void {
    this.#channel.tell(message)
  }

  #noteInput(): void {
    const now = this.#browser.now()
    if (now - this.#noted < NOTING) return
    this.#noted = now
    this.checkIdleness()
    if (this.#state.peek() === 'in') keep(this.#browser.shared, LAST_INPUT, now)
  }

  #isIdle(): boolean {
    const last = Number(kept(this.#browser.shared, LAST_INPUT) ?? Number.NaN)
    return Number.isFinite(last) && this.#browser.now() - last > IDLE
  }

  #isAlive(token: Token): boolean {
    return Date.parse(token.expiresAt) > this.#browser.now()
  }
}

function isLater(one: Token, other: Token): boolean {
  return Date.parse(one.expiresAt) > Date.parse(other.expiresAt)
}
