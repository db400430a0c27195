import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { stopwatch } from '../../base/clock.ts';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { isForwardAddress } from '../addresses/forward-address.ts';
import { mostMailBytes } from '../mail/limits.ts';
import { longestCommand, mostCommands, mostRecipients, mostUnknown, stopTime } from './limits.ts';
import { forwardingMetrics } from './metrics.ts';
import { selectRecipient } from './queries/forwarding.ts';
import { type OpenHands, readMail } from './read-mail.ts';
import { type Recipient, type TakeTools, type TakeWorld, takeMail } from './take-mail.ts';
import { isPostmaster, type TakePostmasterMail } from './take-postmaster-mail.ts';
import type { Traffic } from './traffic.ts';

export type MailServerTools = TakeTools & {
  name: string;
  traffic: Traffic;
  hands: OpenHands;
  takePostmasterMail: TakePostmasterMail;
  /** By LMTP a mail server of the operator's own hands over: nobody else can connect, and it has the limits. */
  lmtp: boolean;
  tls: { cert: Buffer; key: Buffer } | null;
  /** Milliseconds without a byte, and of a whole session. */
  patience: { idle: number; session: number };
};

/**
 * Takes mail for the forwarding addresses of businesses and for the postmaster, and for nobody else. It relays nothing
 * and sends nothing: a mail is taken (250, after the commit), is for nobody here (550), too large (552), or asked to
 * come back (4xx) for any other cause, so that nothing is lost that a sender still keeps. There is no sign-in, because
 * there is nothing to allow.
 */
export function openMailServer(world: TakeWorld, tools: MailServerTools): SMTPServer {
  const { name, traffic, lmtp, tls, patience } = tools;
  const { sql, log } = world;
  const metrics = forwardingMetrics(world.metrics);
  const sessions = new Map<string, Session>();
  const refuse = (why: string, code: number, text: string): Error => {
    metrics.refused.inc({ why });
    return Object.assign(new Error(text), { responseCode: code });
  };
  // The library counts no commands of clients that need not sign in, but it tells its log of each.
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
        return done(refuse('connections', 421, 'Too many connections, come again later'));
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
          log.warn({ err: error }, 'a recipient could not be looked up; its mail comes again');
          done(refuse('database', 451, 'Not able to look that up now, come again later'));
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
  // A connection that fails is its client's affair; without a listener it would be the end of the process.
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
    // By business and address: one that is named twice is one.
    const recipients = [...new Map(sessionOf(session).recipients.map(one => [one.address, one])).values()];
    const { toPostmaster } = sessionOf(session);
    const addresses = [...recipients.map(({ address }) => address), ...(toPostmaster ? ['postmaster'] : [])];
    const isWelcome = traffic.mayMail(addressOf(session), addresses);
    const mail = await readMail(stream, tools.hands, isWelcome, addresses[0] ?? '');
    if (!isWelcome) throw refuse('rate', 451, 'Too many mails at once, come again later');
    if (mail === 'too_large') throw refuse('too_large', 552, 'Too large for an alert');
    if (mail === 'busy') throw refuse('busy', 452, 'Too much at once, come again later');
    const sinceReceived = stopwatch();
    try {
      if (toPostmaster) {
        await tools.takePostmasterMail(mail.raw);
        metrics.mails.inc({ outcome: 'postmaster' });
      }
      if (recipients.length === 0) return;
      // A mail that was stored in one cell and not in another comes again, and repeating it changes nothing.
      for (const [home, some] of Map.groupBy(recipients, one => world.cells?.of(one.merchantId) ?? world)) {
        const here = home.sql === sql ? tools : { ...tools, workerSlots: null };
        const taken = await tools.hands.inTurn(() => takeMail(home, here, mail.raw, some));
        metrics.mails.inc({ outcome: taken });
        if (taken === 'unclear')
          throw refuse('unclear', 451, 'Its signature cannot be checked now, come again later');
      }
    } catch (error) {
      if ('responseCode' in (error as object)) throw error;
      log.error({ err: error }, 'a mail could not be stored; its sender keeps it');
      throw refuse('database', 451, 'Not able to store it now, come again later');
    } finally {
      mail.release();
      metrics.seconds.observe(sinceReceived() / 1000);
    }
  }
}

/**
 * Such addresses are random, and cells are few: each is asked. One that is down may be the one that knows. A copy that an
 * export left behind has no say.
 */
async function findRecipient({ sql, cells, clock }: TakeWorld, address: string): Promise<number | null> {
  const now = clock.now();
  if (!cells) return await selectRecipient(sql, address, now);
  const asked = await Promise.allSettled(
    cells.worlds.map(one => withDeadline(selectRecipient(one.sql, address, now))),
  );
  for (const [cell, answer] of asked.entries())
    if (answer.status === 'fulfilled' && answer.value !== null && cells.of(answer.value).cell === cell)
      return answer.value;
  for (const answer of asked) if (answer.status === 'rejected') throw answer.reason;
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

/** The sender keeps what was not answered. */
function hangUp(server: SMTPServer, id: string): void {
  for (const connection of server.connections)
    if (connection.id === id) connection.send(421, 'This took too long');
}
