import { day, later, minute } from '../../base/clock.ts';
import { newLease } from '../../base/database/row-lease.ts';
import type { World } from '../../base/world.ts';
import { handOver } from '../../outbox/mails/hand-over.ts';
import type { Smtp } from '../../outbox/mails/open-smtp.ts';
import { textsIn } from '../../texts/languages.ts';
import { contentHeader, signContent } from './probe-content.ts';
import { probeEvery, probeHeader, probeMark } from './probe-mark.ts';
import { claimProbes, type DueProbe, recordProbeFailed, recordProbeSent } from './queries/probes.ts';

/** While one is awaited the next follows, for a day: the end of a silence is to be noticed too. */
const whileAwaited = 30 * minute;
const awaitedFor = 1 * day;
/** After one that our own mail server did not take. */
const afterFailure = 10 * minute;
const mostInARound = 20;
/** Longer than a mail server can take for one. */
const leaseFor = 1 * minute;

/** Sends the probes that are due. Each has to come back through the forwarding. */
export async function sendProbes(
  world: Pick<World, 'sql' | 'clock' | 'secrets' | 'log'>,
  smtp: Pick<Smtp, 'sendMail'>,
  from: string,
): Promise<{ sent: number; failed: number }> {
  const due = await claimProbes(world.sql, newLease(world.clock.now(), leaseFor), mostInARound);
  const sent = await Promise.all(due.map(probe => send(world, smtp, from, probe)));
  return { sent: sent.filter(Boolean).length, failed: sent.filter(one => !one).length };
}

async function send(
  { sql, clock, secrets, log }: Pick<World, 'sql' | 'clock' | 'secrets' | 'log'>,
  smtp: Pick<Smtp, 'sendMail'>,
  from: string,
  probe: DueProbe,
): Promise<boolean> {
  const { merchant_id: merchantId, address, language } = probe;
  const sentAt = clock.now();
  const { subject, text } = textsIn(language ?? 'en').mails.probe;
  const mark = probeMark(secrets, { merchantId, address, sentAt });
  const failure = await handOver(smtp, from, {
    to: [address],
    subject,
    text,
    textEncoding: 'base64',
    headers: { [probeHeader]: mark, [contentHeader]: signContent(secrets, mark, { subject, text }) },
  });
  if (failure === null) {
    await recordProbeSent(sql, probe, {
      sentAt,
      soon: later(sentAt, whileAwaited),
      usual: later(sentAt, probeEvery),
      soonFor: later(sentAt, -awaitedFor),
    });
    return true;
  }
  log.warn({ merchant: merchantId, failure }, 'a probe was not sent');
  await recordProbeFailed(sql, probe, failure, later(clock.now(), afterFailure));
  return false;
}
