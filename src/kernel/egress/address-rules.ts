// The addresses that an export may reach, and the entries of `--allow-destination`. Contract 2 §6: loopback, link-local
// (cloud metadata), unspecified, multicast and broadcast addresses are refused; private networks are not. Pure: no I/O
// here.
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]

export interface AllowList {
  readonly hosts: ReadonlySet<string>
  readonly ranges: readonly Range[]
}

const HOST_NAME = /^(?!.{254})([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

const REFUSED: readonly (readonly [reason: string, ...ranges: string[]])[] = [
  ['loopback', '127.0.0.0/8', '::1/128'],
  ['unspecified', '0.0.0.0/8', '::/128'],
  ['link-local', '169.254.0.0/16', 'fe80::/10'],
  ['multicast', '224.0.0.0/4', 'ff00::/8'],
  ['broadcast', '255.255.255.255/32'],
  // Instance metadata that clouds serve outside the link-local range: Alibaba, Azure, Oracle, AWS, Google.
  [
    'cloud metadata',
    '100.100.100.200/32',
    '168.63.129.16/32',
    '192.0.0.192/32',
    'fd00:ec2::254/128',
    'fd20:ce::254/128',
  ],
]

const REFUSED_RANGES = REFUSED.flatMap(([reason, ...ranges]) =>
  ranges.map((range) => ({ reason, range: ipaddr.parseCIDR(range) as Range })),
)

/**
 * IPv4 addresses inside IPv6 ranges, which a packet may finally reach: offsets of the four bytes, and whether they are
 * inverted.
 */
const EMBEDDED: readonly { range: Range; at: readonly number[]; inverted?: boolean }[] = [
  { range: ipaddr.parseCIDR('::ffff:0:0/96'), at: [12, 13, 14, 15] },
  { range: ipaddr.parseCIDR('::/96'), at: [12, 13, 14, 15] },
  { range: ipaddr.parseCIDR('::ffff:0:0:0/96'), at: [12, 13, 14, 15] },
  { range: ipaddr.parseCIDR('64:ff9b::/96'), at: [12, 13, 14, 15] },
  { range: ipaddr.parseCIDR('64:ff9b:1::/48'), at: [6, 7, 9, 10] },
  { range: ipaddr.parseCIDR('64:ff9b:1::/48'), at: [12, 13, 14, 15] },
  { range: ipaddr.parseCIDR('2002::/16'), at: [2, 3, 4, 5] },
  { range: ipaddr.parseCIDR('2001::/32'), at: [12, 13, 14, 15], inverted: true },
]

/** The entries of `--allow-destination`: CIDR ranges, addresses and host names. Throws for an entry that is none of them. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>()
  const ranges: Range[] = []
  for (const entry of entries) {
    const range = parseRange(unbracket(entry.trim()))
    if (range) ranges.push(range)
    else hosts.add(parseHostName(entry))
  }
  return { hosts, ranges }
}

/** The form in which host names are compared: lower case, without the root's dot and without the brackets of an IPv6 literal. */
export function normalizeHost(host: string): string {
  return unbracket(host).toLowerCase().replace(/\.$/, '')
}

/** The address that `host` spells, in any form the system's resolver takes (`127.1`, `0x7f000001`, `2130706433`), or undefined for a name. */
export function parseLiteral(host: string): string | undefined {
  const bare = normalizeHost(host)
  return ipaddr.isValid(bare) ? ipaddr.parse(bare).toString() : undefined
}

/** Why `address` may not be reached (`loopback`, …), or undefined when it may. An address that cannot be parsed may not. */
export function findRefusal(address: string, allow: AllowList): string | undefined {
  if (!ipaddr.isValid(address)) return 'not an address'
  const outer = ipaddr.parse(address)
  if (isCovered(outer, allow)) return undefined
  const refused = [outer, ...embeddedAddresses(outer)]
    .filter((form) => !isCovered(form, allow))
    .flatMap((form) => REFUSED_RANGES.filter(({ range }) => isWithin(form, range)))
  return refused[0]?.reason
}

/** If two layouts are possible (64:ff9b:1::/48), the one that reads as zeros is ignored. */
function embeddedAddresses(address: Address): Address[] {
  if (address.kind() === 'ipv4') return []
  const bytes = address.toByteArray()
  return EMBEDDED.filter(({ range }) => isWithin(address, range))
    .map(({ at, inverted }) => at.map((index) => (bytes[index] ?? 0) ^ (inverted ? 0xff : 0)))
    .filter((octets, _index, all) => all.length === 1 || octets.some((octet) => octet !== 0))
    .map((octets) => ipaddr.fromByteArray(octets))
}

function isCovered(address: Address, allow: AllowList): boolean {
  return allow.ranges.some((range) => isWithin(address, range))
}

function isWithin(address: Address, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

function parseRange(entry: string): Range | undefined {
  const isIPv4 = ipaddr.IPv4.isValidFourPartDecimal(entry) || ipaddr.IPv4.isValidCIDRFourPartDecimal(entry)
  if (!isIPv4 && !ipaddr.IPv6.isValid(entry) && !ipaddr.IPv6.isValidCIDR(entry)) return undefined
  if (entry.includes('/')) return ipaddr.parseCIDR(entry)
  const address = ipaddr.parse(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function parseHostName(entry: string): string {
  const name = normalizeHost(entry.trim())
  const isNumeric = /(^|\.)(\d+|0x[0-9a-f]*)$/.test(name)
  if (isNumeric || !HOST_NAME.test(name)) {
    throw new Error(
      `--allow-destination: ${JSON.stringify(entry.slice(0, 100))} is neither an address (10.0.0.5, ::1), a range (127.0.0.0/8) nor a host name`,
    )
  }
  return name
}

function unbracket(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}
