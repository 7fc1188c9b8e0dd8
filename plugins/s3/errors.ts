// Classifies faults of the S3 SDK for the runner: permanent, retry after a time, or retry with backoff. Contract 2 §6.
import { PermanentError, RetryLaterError } from '../../src/kernel/destination.ts'
import { blot, describeAnswer, isPermanentAnswer, retryAfterMs } from '../shared/faults.ts'
import type { S3Config } from './config.ts'

/** Codes with a 4xx status that a retry may avoid: damage in transit, a lost upload, or too many requests. */
const PASSING_CODES = new Set([
  'BadDigest',
  'ContentSHA256Mismatch',
  'EntityTooSmall',
  'IncompleteBody',
  'InternalError',
  'InvalidPart',
  'InvalidPartOrder',
  'NoSuchUpload',
  'OperationAborted',
  'RequestTimeout',
  'SlowDown',
  'ThrottlingException',
  'TooManyRequests',
  'XAmzContentChecksumMismatch',
  'XAmzContentSHA256Mismatch',
])
/** Codes that messages may repeat. */
const KNOWN_CODES = new Set([
  ...PASSING_CODES,
  'AccessDenied',
  'AccountProblem',
  'AuthorizationHeaderMalformed',
  'BucketAlreadyExists',
  'EntityTooLarge',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidArgument',
  'InvalidBucketName',
  'InvalidDigest',
  'InvalidRequest',
  'InvalidToken',
  'KeyTooLongError',
  'MethodNotAllowed',
  'NoSuchBucket',
  'NoSuchKey',
  'NotFound',
  'NotImplemented',
  'PermanentRedirect',
  'PreconditionFailed',
  'QuotaExceeded',
  'RequestTimeTooSkewed',
  'ServiceUnavailable',
  'SignatureDoesNotMatch',
  'TemporaryRedirect',
])

interface SdkFault {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly permanent?: boolean
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $response?: { readonly headers?: Record<string, string> }
}

/** Returns the error for the runner. The SDK's error is left out, because it holds the request with its signature. */
export function asDeliveryError(error: unknown, config: S3Config): Error {
  if (!(error instanceof Error)) return new Error('the delivery to S3 failed')
  const fault: SdkFault = error
  if (fault.permanent === true) return error
  const text = blot(fault.message || fault.code || fault.name, [config.secretAccessKey, config.sessionToken])
  if (fault.name === 'CredentialsProviderError') return new PermanentError(`no AWS credentials: ${text}`)
  const status = statusOf(error)
  if (status === undefined) {
    // For an unreadable response, the SDK's message contains parts of the response.
    const answered = fault.$metadata?.httpStatusCode
    if (answered !== undefined) return new Error(`the store answered HTTP ${answered}, but not as S3 does`)
    return new Error(`the delivery to S3 failed: ${text}`)
  }
  const message = describeAnswer('S3', fault.name, status, KNOWN_CODES)
  if (isPermanentAnswer(fault.name, status, PASSING_CODES)) return new PermanentError(message)
  const wait = retryAfterMs(fault.$response?.headers?.['retry-after'])
  return wait === undefined ? new Error(message) : new RetryLaterError(message, wait)
}

/** Returns the HTTP status of the store's refusal; undefined: no response, or one that the SDK took for success. */
export function statusOf(error: unknown): number | undefined {
  const status = (error as SdkFault | undefined)?.$metadata?.httpStatusCode
  return status !== undefined && status >= 300 ? status : undefined
}
