import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import type { Reason } from '../../texts/verdicts.ts';
import { type Judges, startJudges } from '../judging/start-judges.ts';
import { mostMailBytes } from '../mail/limits.ts';
import type { KeySource } from '../origin/key-source.ts';
import { isReadingDoubt, type Offer } from '../reading/offer-figures.ts';
import { type HeldAlert, selectEarlierMails, selectHeldAlert } from './queries/held-mails.ts';

export type HeldReading = {
  readonly alert: HeldAlert;
  readonly reason: Reason;
  readonly offer: Offer;
  /** One of these may be its reference: not in the bank's fixed words or in earlier mails about other sums. */
  readonly numbers: readonly string[];
  /** A hash of everything shown, because a decision must be about exactly what the person saw. */
  readonly seal: string;
};

/** Mails read at once in one process, each in its own thread. */
const mostAtOnce = 2;
/** The longest name and remark cannot contain more; each is locked while the mail is accepted. */
const mostNumbers = 40;
let inHand = 0;

/**
 * Reads a mail that the account's bank signed to this business and that is held only because of its wording. Its
 * signature is verified again with the keys of its time. Null for any other mail: if origin, recipient or account is
 * in doubt, nobody can accept it (R16). Reading runs in a worker thread, because a hostile mail could block the event
 * loop.
 */
export async function readHeldMail(
  world: Pick<World, 'sql' | 'banks' | 'log'>,
  merchantId: number,
  alertId: string,
  now: Date,
): Promise<HeldReading | 'busy' | null> {
  const alert = await selectHeldAlert(world.sql as Queryable, merchantId, alertId, now);
  const raw = await unpack(alert?.raw ?? null);
  if (alert === null || raw === null) return null;
  if (inHand >= mostAtOnce) return 'busy';
  inHand++;
  let record = '';
  const keys: KeySource = async () => ({ kind: 'found', record });
  const judges = startJudges({ banks: world.banks.current, keys, log: world.log, threads: 1 });
  try {
    for (record of alert.key_records) {
      const read = await readOffer(judges.judge, raw, alert);
      if (read === null) continue;
      const shown = JSON.stringify([alert.alert_id, read.offer]);
      const seal = createHash('sha256').update(shown).digest('hex');
      let { numbers } = read;
      for (const mail of await selectEarlierMails(world.sql, merchantId, alert, read.offer.amounts)) {
        const [earlier, at] = [await unpack(mail.raw), mail.arrived_at];
        const arrival = { addresses: [mail.recipient], arrivedAt: at, now: at };
        const usual = earlier ? (await judges.judge(earlier, arrival)).numbers : [];
        numbers = numbers.filter(number => !usual.includes(number));
      }
      return numbers.length > mostNumbers ? null : { alert, ...read, numbers, seal };
    }
    return null;
  } finally {
    inHand--;
    await judges.close();
  }
}

async function unpack(raw: Buffer | null): Promise<Buffer | null> {
  return raw && (await promisify(inflate)(raw, { maxOutputLength: mostMailBytes }).catch(() => null));
}

/** Reads the same offer for `verify`, from stored bytes and a remembered key. */
export async function readOffer(
  judge: Judges['judge'],
  raw: Buffer,
  alert: Pick<HeldAlert, 'recipient' | 'arrived_at' | 'signature_id'>,
): Promise<Pick<HeldReading, 'reason' | 'offer' | 'numbers'> | null> {
  const { recipient, arrived_at: arrivedAt } = alert;
  const judged = await judge(raw, { addresses: [recipient], arrivedAt, now: arrivedAt });
  if (judged.verdict !== 'unreadable' || judged.recipient === null || judged.alertTime === null) return null;
  if (judged.signatureId !== alert.signature_id || !isReadingDoubt(judged.reason.code) || !judged.offer)
    return null;
  return { reason: judged.reason, offer: judged.offer, numbers: judged.numbers };
}
