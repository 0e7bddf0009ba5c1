import type { StandardSchemaV1 } from '@standard-schema/spec'
import { TidemarkError } from '../../core/errors.ts'
import { badData } from '../bad-data.ts'

/** The value as the schema gives it back. Throws BAD_DATA with the schema's issues, and JOB_INVALID for an async schema. */
export function validated(schema: StandardSchemaV1, value: unknown): unknown {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) {
    result.catch(() => undefined)
    throw new TidemarkError('JOB_INVALID', 'the schema validates asynchronously', {
      hint: 'Use a schema without async checks: records are processed synchronously.',
    })
  }
  if (result.issues === undefined) return result.value
  throw badData(
    `the value does not fit its schema: ${result.issues.map(formatIssue).join('; ')}`,
    'Mend the schema if it is too narrow, or choose a policy for bad data.',
  )
}

function formatIssue({ path, message }: StandardSchemaV1.Issue): string {
  const steps = (path ?? []).map((step) => String(typeof step === 'object' ? step.key : step))
  return steps.length === 0 ? message : `${steps.join('.')}: ${message}`
}
