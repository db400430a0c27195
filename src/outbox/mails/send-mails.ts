import { day, hour, later, minute, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { recordPatiently } from '../../base/database/record-patiently.ts';
import { newLease } from '../../base/database/row-lease.ts';
import type { World } from '../../base/world.ts';
import { languageTags, textsIn } from '../../texts/languages.ts';
import { sayNotice } from '../../texts/say.ts';
import { noticePath } from '../topics.ts';
import {
  claimMail,
  countDueMails,
  type DueMail,
  type Letter,
  markMailFailed,
  markMailSent,
} from './queries.ts';
import { letterBinding } from './queue-mail.ts';
import { handOver, type Message, openSmtp, type Smtp } from './smtp.ts';

const pause = 2 * second;

/** Sends queued mails. Without SMTP nothing runs, and notices stay on the dashboard. */
export function startMailing(
  world: Pick<World, 'sql' | 'clock' | 'secrets' | 'log' | 'metrics' | 'config' | 'baseUrl'>,
): {
  stop(): Promise<void>;
} {
  const { smtpUrl, mailFrom } = world.config;
  if (smtpUrl === null || mailFrom === null) return { stop: async () => {} };
  const mailed = world.metrics.counter('milaan_notices_total', 'Mails to owners and members, by outcome.', [
    'outcome',
  ]);
  const waiting = world.metrics.gauge('milaan_notices_waiting', 'Mails to owners and members that are due.');
  const smtp = openSmtp(smtpUrl);

  const worker = keepWorking(world, { what: 'mailing', pause }, async () => {
    const { sent, failed } = await sendMails(world, smtp, mailFrom);
    mailed.inc({ outcome: 'sent' }, sent);
    mailed.inc({ outcome: 'failed' }, failed);
    waiting.set(await countDueMails(world.sql, { now: world.clock.now(), mostTries }));
    return sent + failed < mostInARound ? pause : 0;
  });
  return {
    async stop() {
      // Cut off the current mail instead of waiting; its lease lapses and it is sent again.
      smtp.close();
      await worker.stop();
    },
  };
}

/** Must exceed the time that all mails of one notice can take. */
const leaseFor = 2 * minute;

/** The pause after each failed try. After the last one the mail is given up. */
export const mailPauses = [
  15 * second,
  1 * minute,
  5 * minute,
  15 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  1 * day,
];
const mostTries = mailPauses.length + 1;

/** Limits a round, so that the metrics are updated between rounds. */
const mostInARound = 10;

/** Each mail has its own lease. After a crash it is sent again under the same Message-ID. */
export async function sendMails(
  world: Pick<World, 'sql' | 'clock' | 'secrets' | 'log' | 'baseUrl' | 'config'>,
  smtp: Pick<Smtp, 'sendMail'>,
  from: string,
): Promise<{ sent: number; failed: number }> {
  const { sql, clock, log } = world;
  const done = { sent: 0, failed: 0 };
  while (done.sent + done.failed < mostInARound) {
    const mail = await claimMail(sql, newLease(clock.now(), leaseFor), mostTries);
    if (!mail) break;
    const failure = await send(world, smtp, from, mail);
    if (failure === null) {
      done.sent++;
      await recordPatiently(world, () => markMailSent(sql, mail, clock.now()));
      continue;
    }
    done.failed++;
    log.warn({ merchant: mail.merchant_id, mail: mail.mail_id, failure }, 'a mail was not sent');
    await recordPatiently(world, () => markMailFailed(sql, mail, failure, nextTry(mail, clock.now())));
  }
  return done;
}

function nextTry({ tries, useful_until }: DueMail, now: Date): Date | null {
  const pause = mailPauses[tries - 1];
  const next = pause === undefined ? null : later(now, pause);
  return next && next < useful_until ? next : null;
}

/** Returns null after the server accepted every message. */
async function send(
  { secrets, baseUrl, config }: Pick<World, 'secrets' | 'baseUrl' | 'config'>,
  smtp: Pick<Smtp, 'sendMail'>,
  from: string,
  mail: DueMail,
): Promise<string | null> {
  let messages: Message[];
  try {
    messages = mail.notice_id === null ? [openLetter(secrets, mail)] : wordNotice(baseUrl, mail);
  } catch (error) {
    // Only this mail fails; later ones are still sent. The key ring may be older on this machine than on another.
    return `it cannot be read: ${(error as Error).message}`;
  }
  if (mail.notice_id !== null && mail.readers.length === 0)
    return 'the business has no owner with a mail address';
  for (const message of messages) {
    const failure = await handOver(smtp, from, { ...message, text: message.text + signature(config) });
    if (failure !== null) return failure;
  }
  return null;
}

function signature({ operator: { name, mail, phone } }: World['config']): string {
  const contact = [name, mail, phone].filter(one => one !== null);
  return contact.length === 0 ? '' : `\n-- \n${contact.join('\n')}\n`;
}

function openLetter(secrets: World['secrets'], letter: DueMail & Letter): Message {
  const { merchant_id, mail_id, recipient, subject, sealed_text } = letter;
  const text = secrets.open(sealed_text, letterBinding(merchant_id, recipient));
  return { to: [recipient], subject, text, id: `mail-${merchant_id}-${mail_id}` };
}

/** Returns one message for each reader's language, or none if nobody wants this kind. */
function wordNotice(baseUrl: string, mail: Exclude<DueMail, Letter>): Message[] {
  const { merchant_id, notice_id, business } = mail;
  const path = noticePath(mail);
  const link = path === null ? '' : `\n\n${baseUrl}${path}`;
  const readers = Object.groupBy(
    mail.readers.filter(({ wants }) => wants),
    reader => reader.language ?? 'en',
  );
  return languageTags.flatMap(language => {
    const to = readers[language]?.map(reader => reader.email);
    if (!to) return [];
    const said = sayNotice(language, mail);
    // The mail is tried again: during an upgrade, a process of the newer release may have the words.
    if (said === null)
      throw new Error(`no words: ${textsIn('en').notices.unknown({ kind: mail.kind.slice(0, 100) })}`);
    const id = `notice-${merchant_id}-${notice_id}${language === 'en' ? '' : `-${language}`}`;
    return [{ to, subject: said.subject, text: `${said.text}${link}\n\n${business}\n`, id }];
  });
}
