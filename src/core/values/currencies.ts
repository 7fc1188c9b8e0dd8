// The currency codes of ISO 4217, with funds, metals and codes for testing: the currencies that a price may have. Contract
// 3 §9.9.
//
// Source: list one as SIX publishes it for ISO (edition of 2024-06-25), with later additions: XCG and XAD (2025).

const LIST_ONE = `
  AED AFN ALL AMD ANG AOA ARS AUD AWG AZN
  BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
  CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK
  DJF DKK DOP DZD
  EGP ERN ETB EUR
  FJD FKP
  GBP GEL GHS GIP GMD GNF GTQ GYD
  HKD HNL HTG HUF
  IDR ILS INR IQD IRR ISK
  JMD JOD JPY
  KES KGS KHR KMF KPW KRW KWD KYD KZT
  LAK LBP LKR LRD LSL LYD
  MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN
  NAD NGN NIO NOK NPR NZD
  OMR
  PAB PEN PGK PHP PKR PLN PYG
  QAR
  RON RSD RUB RWF
  SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
  THB TJS TMT TND TOP TRY TTD TWD TZS
  UAH UGX USD USN UYI UYU UYW UZS
  VED VES VND VUV
  WST
  XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX
  YER
  ZAR ZMW ZWG
`

/** Withdrawn, and taken all the same: catalogues have prices in them from when they were valid. */
const WITHDRAWN = 'HRK SLL ZWL'

const codes: ReadonlySet<string> = new Set(`${LIST_ONE} ${WITHDRAWN}`.trim().split(/\s+/))

export const NO_CURRENCY = 'must be an ISO 4217 code'

export function isCurrency(code: string): boolean {
  return codes.has(code)
}
