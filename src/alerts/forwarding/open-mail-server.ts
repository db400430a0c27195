import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { day, second, stopwatch } from '../../base/clock.ts';
import { selectNewestCell } from '../../base/database/applied-migrations.ts';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { openCountCalls } from '../../base/http/count-calls.ts';
import type { World } from '../../base/world.ts';
import { mailOperators } from '../../business/accounts/mail-operators.ts';
import { isForwardAddress } from '../addresses/forward-address.ts';
import { mostMailBytes } from '../mail/limits.ts';
import { forwardingMetrics } from './metrics.ts';
import { selectRecipient } from './queries/forwarding.ts';
import { type ReceiveTools, type ReceiveWorld, type Recipient, receiveMail } from './receive-mail.ts';
import { type OpenHands, readMail, type Traffic } from './traffic.ts';

/** A mail for an alert has one recipient; a mail server in front may combine some. */
const mostRecipients = 20;
/** A client that names this many unknown addresses is guessing, and must reconnect. */
const mostUnknown = 3;
/** Commands between two mails. A mail takes four. Without this limit a client could send NOOP for ever. */
const mostCommands = 100;
const longestCommand = 2 * 1024;
/** Time to finish storing mails when the process stops. */
const stopTime = 5 * second;

export type MailServerTools = ReceiveTools & {
  name: string;
  traffic: Traffic;
  hands: OpenHands;
  takePostmasterMail(raw: Buffer): Promise<void>;
  /** LMTP is only for the operator's own mail server, which has the limits. Nobody else can connect. */
  lmtp: boolean;
  tls: { cert: Buffer; key: Buffer } | null;
  /** Limits in milliseconds: without a byte, and for a whole session. */
  patience: { idle: number; session: number };
};

/**
 * Takes mail for the businesses' forwarding addresses and the postmaster only; it relays and sends nothing, so it
 * needs no sign-in. It answers 250 only after the commit, 550 for an unknown recipient and 552 for a mail that is too
 * large. In all other cases it answers 4xx, so that the sender keeps the mail.
 */
export function openMailServer(world: ReceiveWorld, tools: MailServerTools): SMTPServer {
  const { name, traffic, lmtp, tls, patience } = tools;
  const { sql, log } = world;
  const metrics = forwardingMetrics(world.metrics);
  const sessions = new Map<string, Session>();
  const refuse = (why: string, code: number, text: string): Error => {
    metrics.refused.inc({ why });
    return Object.assign(new Error(text), { responseCode: code });
  };
  // The library does not count commands of clients without sign-in, but it logs each one.
  const countCommands = {
    debug({ tnx, cid }: { tnx?: string; cid?: string }) {
      const session = tnx === 'command' && cid !== undefined ? sessions.get(cid) : undefined;
      if (session && ++session.commands > mostCommands) hangUp(server, cid!);
    },
  };
  const server = new SMTPServer({
    name,
    lmtp,
    banner: 'takes bank alerts, relays nothing',
    logger: countCommands,
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', 'VRFY', 'HELP', ...(tls ? [] : ['STARTTLS'])],
    ...tls,
    minVersion: 'TLSv1.2',
    disableReverseLookup: true,
    authOptional: true,
    hideSMTPUTF8: true,
    size: mostMailBytes,
    rejectOversized: true,
    socketTimeout: patience.idle,
    closeTimeout: stopTime,
    maxRecipients: mostRecipients,
    maxCommandLength: longestCommand,
    onConnect(session, done) {
      if (!traffic.enter(session.id, addressOf(session)))
        return done(refuse('connections', 421, 'Too many connections, try again later'));
      if (!sessions.has(session.id)) {
        const timer = setTimeout(() => hangUp(server, session.id), patience.session).unref();
        sessions.set(session.id, { ...newSession(), timer });
      }
      metrics.connections.set(traffic.connections());
      done();
    },
    onMailFrom(_address, session, done) {
      Object.assign(sessionOf(session), { recipients: [], toPostmaster: false });
      done();
    },
    onRcptTo({ address }, session, done) {
      const known = sessionOf(session);
      if (isPostmaster(address.toLowerCase(), name)) {
        known.toPostmaster = true;
        return done();
      }
      find(address.toLowerCase()).then(
        recipient => {
          if (recipient) {
            known.recipients.push(recipient);
            return done();
          }
          const isGuessing = ++known.unknown >= mostUnknown;
          done(refuse('unknown_recipient', isGuessing ? 421 : 550, 'No such address here'));
        },
        error => {
          log.warn({ err: error }, 'a recipient could not be looked up; the sender tries its mail again');
          done(refuse('database', 451, 'Cannot look that up now, try again later'));
        },
      );
    },
    onData(stream, session, done) {
      receive(stream, session).then(() => done(), done);
    },
    onClose(session) {
      traffic.leave(session.id);
      clearTimeout(sessions.get(session.id)?.timer);
      sessions.delete(session.id);
      metrics.connections.set(traffic.connections());
    },
  });
  // Without this listener, one failed connection would end the process.
  server.on('error', error => log.debug({ err: error }, 'a connection of a mail server failed'));
  return server;

  function addressOf(session: SMTPServerSession): string | null {
    return lmtp ? null : session.remoteAddress || null;
  }

  function sessionOf(session: SMTPServerSession): Session {
    return sessions.get(session.id) ?? newSession();
  }

  async function find(address: string): Promise<Recipient | null> {
    if (!isForwardAddress(address)) return null;
    const merchantId = await findRecipient(world, address);
    if (merchantId === null) return null;
    await tools.step?.('recipient known');
    return { merchantId, address };
  }

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    sessionOf(session).commands = 0;
    // A recipient that is named twice counts once.
    const recipients = [...new Map(sessionOf(session).recipients.map(one => [one.address, one])).values()];
    const { toPostmaster } = sessionOf(session);
    const addresses = [...recipients.map(({ address }) => address), ...(toPostmaster ? ['postmaster'] : [])];
    const isWelcome = traffic.mayMail(addressOf(session), addresses);
    const mail = await readMail(stream, tools.hands, isWelcome, addresses[0] ?? '');
    if (!isWelcome) throw refuse('rate', 451, 'Too many mails at once, try again later');
    if (mail === 'too_large') throw refuse('too_large', 552, 'Too large for an alert');
    if (mail === 'busy') throw refuse('busy', 452, 'Too many bytes at once, try again later');
    const sinceReceived = stopwatch();
    try {
      if (toPostmaster) {
        await tools.takePostmasterMail(mail.raw);
        metrics.mails.inc({ outcome: 'postmaster' });
      }
      if (recipients.length === 0) return;
      // If one cell stored the mail and another did not, the sender repeats it. Storing it twice changes nothing.
      for (const [home, some] of Map.groupBy(recipients, one => world.cells?.of(one.merchantId) ?? world)) {
        const here = home.sql === sql ? tools : { ...tools, workerSlots: null };
        const taken = await tools.hands.inTurn(() => receiveMail(home, here, mail.raw, some));
        metrics.mails.inc({ outcome: taken });
        if (taken === 'unclear')
          throw refuse('unclear', 451, 'Its signature cannot be checked now, try again later');
      }
    } catch (error) {
      if ('responseCode' in (error as object)) throw error;
      log.error({ err: error }, 'a mail could not be stored; the sender keeps it and tries again');
      throw refuse('database', 451, 'Cannot store it now, try again later');
    } finally {
      mail.release();
      metrics.seconds.observe(sinceReceived() / 1000);
    }
  }
}

/**
 * Addresses are random and cells are few, so every cell is asked. A cell that is down might know the address, so its
 * failure is thrown. A copy that an export left behind does not count.
 */
async function findRecipient({ sql, cells, clock }: ReceiveWorld, address: string): Promise<number | null> {
  const now = clock.now();
  if (!cells) return await selectRecipient(sql, address, now);
  const asked = await Promise.allSettled(
    cells.worlds.map(one => withDeadline(selectRecipient(one.sql, address, now))),
  );
  for (const [cell, answer] of asked.entries())
    if (answer.status === 'fulfilled' && answer.value !== null && cells.of(answer.value).cell === cell)
      return answer.value;
  for (const answer of asked) if (answer.status === 'rejected') throw answer.reason;
  // It may be an address of a cell that was added since; a bounced alert would be a missed payment.
  if ((await withDeadline(selectNewestCell(sql))) >= cells.worlds.length)
    throw new Error('CELLS_FILE does not list every cell: copy the newest one here, and restart');
  return null;
}

type Session = {
  unknown: number;
  commands: number;
  recipients: Recipient[];
  toPostmaster: boolean;
  timer: NodeJS.Timeout | undefined;
};

function newSession(): Session {
  return { unknown: 0, commands: 0, recipients: [], toPostmaster: false, timer: undefined };
}

/** The sender keeps each mail that was not answered. */
function hangUp(server: SMTPServer, id: string): void {
  for (const connection of server.connections)
    if (connection.id === id) connection.send(421, 'This took too long');
}

/** One process passes on this many mails a day, so that operators are not flooded. */
const mostInADay = 20;
/** Enough to see the sender and the subject matter. */
const mostShown = 4_000;

/** Whether the recipient is the postmaster, which every mail server must have (RFC 5321 §4.5.1). */
function isPostmaster(address: string, domain: string): boolean {
  return address === 'postmaster' || address === `postmaster@${domain.toLowerCase()}`;
}

/** Mails the operators a postmaster mail as plain text. The mail itself is not stored. */
export function openPostmaster(world: Pick<World, 'sql' | 'clock' | 'config' | 'secrets' | 'log'>) {
  const count = openCountCalls(mostInADay, 1 * day, 1);
  return async (raw: Buffer): Promise<void> => {
    if (world.config.smtpUrl === null || count('postmaster') !== null) {
      world.log.warn({ bytes: raw.length }, 'a mail to the postmaster was not passed on to operators');
      return;
    }
    const shown = raw
      .subarray(0, mostShown)
      .toString('utf8')
      .toWellFormed()
      .replace(/[^\P{Cc}\n\t]/gu, '');
    await world.sql.begin(tx =>
      mailOperators(tx, world, ({ mails: { postmaster } }) => ({
        subject: postmaster.subject,
        text: `${postmaster.text}\n${shown.replace(/^/gm, '> ')}\n`,
      })),
    );
  };
}
