import assert from 'node:assert/strict';
import { MilaanError } from '../../sdk/src/milaan.ts';

/** The SDK's own error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<MilaanError> {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    problem => problem,
  );
  assert.ok(error instanceof MilaanError, String(error));
  return error;
}
