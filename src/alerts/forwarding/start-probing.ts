import { day, later, minute, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { newLease } from '../../base/database/row-lease.ts';
import type { World } from '../../base/world.ts';
import { handOver, openSmtp, type Smtp } from '../../outbox/mails/smtp.ts';
import { textsIn } from '../../texts/languages.ts';
import { probeChannel } from '../addresses/queries/addresses.ts';
import { notifyOnce } from '../mailboxes/notify-of-mailboxes.ts';
import { silentAfter } from './forwarding-state.ts';
import { forwardingMetrics } from './metrics.ts';
import { contentHeader, probeEvery, probeHeader, probeToken, signContent } from './probe.ts';
import { deleteEndedForwardings, proveByAlerts } from './queries/forwarding.ts';
import {
  claimProbes,
  countForwardings,
  type DueProbe,
  heardAgain,
  recordProbeFailed,
  recordProbeSent,
  setSilenceNotified,
  silentForwardings,
} from './queries/probes.ts';

const pause = 15 * second;

/** Watches whether forwarded mail still comes: sends probes, notifies owners of silence, ends old addresses. */
export function startProbing(world: World): { stop(): Promise<void> } {
  const { sql, clock, config } = world;
  const metrics = forwardingMetrics(world.metrics);
  const { smtpUrl, mailFrom } = config;
  const smtp = smtpUrl === null || mailFrom === null ? null : openSmtp(smtpUrl);
  const worker = keepWorking(
    world,
    { what: 'probing forwardings', pause, channel: probeChannel },
    async () => {
      await deleteEndedForwardings(sql, clock.now());
      await proveByAlerts(sql, clock.now());
      await notifySilentForwardings(world);
      const { open, silent } = await countForwardings(sql, later(clock.now(), -silentAfter));
      metrics.open.set(open);
      metrics.silent.set(silent);
      if (!smtp || mailFrom === null) return pause;
      const { sent, failed } = await sendProbes(world, smtp, mailFrom);
      metrics.probes.inc({ outcome: 'sent' }, sent);
      metrics.probes.inc({ outcome: 'failed' }, failed);
      return sent + failed > 0 ? 0 : pause;
    },
  );
  return {
    async stop() {
      smtp?.close();
      await worker.stop();
    },
  };
}

/** While a probe is awaited, others follow for a day, so that the end of a silence is noticed too. */
const whileAwaited = 30 * minute;
const awaitedFor = 1 * day;
/** The wait after our own mail server refused a probe. */
const afterFailure = 10 * minute;
const mostInARound = 20;
/** A lease must outlast one probe at a slow mail server. */
const leaseFor = 1 * minute;

async function sendProbes(
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
  const token = probeToken(secrets, { merchantId, address, sentAt });
  const failure = await handOver(smtp, from, {
    to: [address],
    subject,
    text,
    textEncoding: 'base64',
    headers: { [probeHeader]: token, [contentHeader]: signContent(secrets, token, { subject, text }) },
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
  log.warn({ merchant: merchantId, failure }, 'a probe could not be sent; check the SMTP server');
  await recordProbeFailed(sql, probe, failure, later(clock.now(), afterFailure));
  return false;
}

/** A provider may delay a mail by some minutes. */
const silentFor = 15 * minute;

/** Notifies an owner once that nothing comes through the forwarding, and once when mail comes again. */
export async function notifySilentForwardings({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<void> {
  const now = clock.now();
  await sql.begin(async tx => {
    const notified = new Set<number>();
    for (const { merchant_id, ...facts } of await silentForwardings(tx, later(now, -silentFor))) {
      if (notified.has(merchant_id)) continue;
      notified.add(merchant_id);
      await setSilenceNotified(tx, merchant_id, now);
      await notifyOnce(tx, merchant_id, { kind: 'forwarding_silent', facts }, now, now);
    }
    for (const { merchant_id, silence_told_at } of await heardAgain(tx)) {
      await setSilenceNotified(tx, merchant_id, null);
      await notifyOnce(tx, merchant_id, { kind: 'forwarding_heard', facts: {} }, silence_told_at, now);
    }
  });
}
