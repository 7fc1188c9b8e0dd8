// Classifies faults of the Azure SDK for the runner: permanent, retry after a time, or retry with backoff. Contract 2 §6.
import { PermanentError, RetryLaterError } from '../../src/kernel/destination.ts'
import { blot, describeAnswer, isPermanentAnswer, retryAfterMs } from '../shared/faults.ts'
import { resolveContainer } from './account.ts'
import type { AzureConfig } from './config.ts'

/** Codes with a 4xx status that a retry may avoid: damage in transit, or discarded blocks. */
const PASSING_CODES = new Set([
  'InvalidBlockList',
  'InvalidBlobOrBlock',
  'Md5Mismatch',
  'OperationTimedOut',
  'ServerBusy',
])
/** Codes that messages may repeat. */
const KNOWN_CODES = new Set([
  ...PASSING_CODES,
  'AccountIsDisabled',
  'AuthenticationFailed',
  'AuthorizationFailure',
  'AuthorizationPermissionMismatch',
  'AuthorizationProtocolMismatch',
  'AuthorizationResourceTypeMismatch',
  'AuthorizationServiceMismatch',
  'AuthorizationSourceIPMismatch',
  'BlobAlreadyExists',
  'BlobArchived',
  'BlobImmutableDueToPolicy',
  'BlobNotFound',
  'ContainerBeingDeleted',
  'ContainerDisabled',
  'ContainerNotFound',
  'InsufficientAccountPermissions',
  'InternalError',
  'InvalidAuthenticationInfo',
  'InvalidHeaderValue',
  'InvalidInput',
  'InvalidResourceName',
  'InvalidUri',
  'LeaseIdMissing',
  'NoAuthenticationInformation',
  'PublicAccessNotPermitted',
  'RequestBodyTooLarge',
  'ResourceNotFound',
  'TooManyRequests',
  'UnauthorizedBlobOverwrite',
])

interface SdkFault {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly permanent?: boolean
  readonly statusCode?: number
  readonly response?: { readonly headers?: { get(name: string): string | undefined } }
}

/** Returns the error for the runner. The SDK's error is left out, because it holds the request with its signature. */
export function asDeliveryError(error: unknown, config: AzureConfig): Error {
  if (!(error instanceof Error)) return new Error('the delivery to Azure failed')
  const fault: SdkFault = error
  if (fault.permanent === true) return error
  const status = statusOf(error)
  if (status === undefined) {
    // For an unreadable response, the SDK's message contains the response.
    if (fault.response !== undefined) return new Error('the store answered, but not as Azure does')
    const [line = ''] = (fault.message || fault.code || fault.name).split('\n')
    return new Error(`the delivery to Azure failed: ${blot(line, secretsOf(config))}`)
  }
  const message = describeAnswer('Azure', fault.code ?? '', status, KNOWN_CODES)
  if (isPermanentAnswer(fault.code ?? '', status, PASSING_CODES)) return new PermanentError(message)
  const wait = retryAfterMs(fault.response?.headers?.get('retry-after'))
  return wait === undefined ? new Error(message) : new RetryLaterError(message, wait)
}

/** Returns the HTTP status of Azure's refusal; undefined: no response. */
export function statusOf(error: unknown): number | undefined {
  return (error as SdkFault | undefined)?.statusCode
}

function secretsOf(config: AzureConfig): string[] {
  const { access } = resolveContainer(config)
  if (!('sas' in access)) return [access.accountKey]
  const signature = new URLSearchParams(access.sas).get('sig') ?? ''
  return [access.sas, signature, encodeURIComponent(signature)]
}
