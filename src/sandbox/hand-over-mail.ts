import { setTimeout as sleep } from 'node:timers/promises';
import { storeMail } from '../alerts/judging/store-mail.ts';
import { ApiError } from '../base/http/api-error.ts';
import { finalVerdicts, type Verdict } from '../texts/verdicts.ts';
import type { Playground } from './playground.ts';
import { readVerdict, type StoredVerdict } from './queries.ts';

const checkPause = 20;
const mostChecks = 750;

/** A further copy of a mail with one of these verdicts was already counted. */
const counted: readonly Verdict[] = finalVerdicts;

/** Handles a mail as if it had just been found in the demo mailbox. Returns the verdict once there is one. */
export async function handOverMail(
  { world, demo, judge }: Pick<Playground, 'world' | 'demo' | 'judge'>,
  raw: Buffer,
): Promise<StoredVerdict> {
  const { sql, clock } = world;
  const { merchantId } = demo;
  const arrivedAt = clock.now();
  const { alertId, isNew } = await storeMail(sql, { merchantId, raw, arrivedAt, foundIn: 'sandbox' });
  const known = isNew ? null : await readVerdict(sql, merchantId, alertId);
  if (known && counted.includes(known.verdict)) return foundAgain(known);
  await judge();
  for (let checks = 0; checks < mostChecks; checks++) {
    const found = await readVerdict(sql, merchantId, alertId);
    if (found && found.verdict !== 'unjudged') {
      // Another request handed over the same bytes at the same moment: the verdict is the other one's.
      return known?.verdict === 'unjudged' && counted.includes(found.verdict) ? foundAgain(found) : found;
    }
    await sleep(checkPause);
  }
  throw new ApiError('service_unavailable', { message: 'The mail is stored; its verdict is not there yet.' });
}

/** The same bytes are the same mail. Nothing is done again, and the caller gets the first copy's result. */
function foundAgain({ verdict, order_id }: StoredVerdict): StoredVerdict {
  return {
    verdict: 'duplicate',
    reason: `this very mail was found before, and its verdict was ${verdict}`,
    order_id,
  };
}
