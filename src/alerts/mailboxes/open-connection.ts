import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { ImapFlow } from 'imapflow';
import { second } from '../../base/clock.ts';
import { guardedConnect } from '../../base/network/guarded-connect.ts';
import { parseHost } from '../../base/network/parse-destination.ts';
import { withLimit } from '../../base/with-limit.ts';
import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import {
  mostAnswerBytes,
  mostExtraFolders,
  mostLineBytes,
  mostLiteralBytes,
  mostResponseBytes,
} from '../mail/limits.ts';
import { explainFailure, MailFailure } from './explain-failure.ts';
import type { Pace } from './pace.ts';
import { type Provider, type ProviderId, providerOf } from './providers.ts';

export type Login = { user: string } & ({ password: string } | { accessToken: string });

type Server = { provider: ProviderId; host: string; port: number };

export type Connection = ReturnType<typeof guard>;

/** Shared by all connections, because parsing the roots costs more than the rest of connecting. */
export function trustedRoots(extra: string | null): SecureContext {
  return createSecureContext({
    minVersion: 'TLSv1.2',
    ...(extra !== null && { ca: [...rootCertificates, extra] }),
  });
}

/** Connects through the address guard (R11), checks the certificate and logs in. Throws MailFailure. */
export async function openConnection(
  world: Pick<World, 'dns' | 'config'>,
  server: Server,
  login: Login,
  { pace, roots, signal }: { pace: Pace; roots: SecureContext; signal: AbortSignal },
): Promise<Connection> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(pace.connect)]);
  const provider = providerOf(server.provider);
  try {
    const parsed = parseHost(server.host, server.port, world.config);
    if (!parsed.ok)
      throw new MailFailure('refused_address', because('bad_server_name', { problem: parsed.reason }));
    // Loaded here, because a shop that forwards its mails never needs it.
    const imap = await import('imapflow');
    const socket = await guardedConnect(world, parsed.host, { tls: false, signal: limit });
    const client = new imap.ImapFlow({
      host: parsed.host.name,
      port: server.port,
      secure: true,
      auth: 'password' in login ? { user: login.user, pass: login.password } : { ...login },
      // imapflow passes these to tls.connect, which then uses the socket that the guard checked.
      tls: { socket, secureContext: roots, minVersion: 'TLSv1.2', rejectUnauthorized: true },
      clientInfo: { name: 'milaan' },
      connectionTimeout: 15 * second,
      greetingTimeout: 10 * second,
      socketTimeout: pace.poll + pace.command,
      disableAutoIdle: true,
      // A compressed flood would pass the byte limits before it is counted.
      disableCompression: true,
      disableAutoEnable: true,
      maxLiteralSize: mostLiteralBytes,
      maxLineLength: mostLineBytes,
      maxResponseSize: mostResponseBytes,
      logger: false,
    });
    waitBeforeSecrets(client);
    const connection = guard(client, pace, provider);
    const aborted = () => connection.close();
    limit.addEventListener('abort', aborted, { once: true });
    try {
      await withLimit(client.connect(), pace.connect, () => unanswered());
    } catch (error) {
      connection.close();
      socket.destroy();
      throw error;
    } finally {
      limit.removeEventListener('abort', aborted);
    }
    return connection;
  } catch (error) {
    signal.throwIfAborted();
    const cause =
      limit.aborted && !(error as { authenticationFailed?: boolean }).authenticationFailed
        ? unanswered()
        : error;
    throw explainFailure(cause, provider, secretForms(login));
  }
}

/** Every form in which a login's secret is sent to a server, which may repeat it in its answer (R10). */
export function secretForms(login: Login): string[] {
  const secret = 'password' in login ? login.password : login.accessToken;
  const quoted = secret.replace(/["\\]/g, '\\$&');
  // AUTHENTICATE PLAIN, LOGIN, OAUTHBEARER and XOAUTH2 send base64.
  const whole = [
    secret,
    `\u0000${login.user}\u0000${secret}`,
    `user=${login.user}\u0001auth=Bearer ${secret}\u0001\u0001`,
  ];
  return [secret, quoted, ...whole.map(text => Buffer.from(text).toString('base64'))];
}

function unanswered(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
}

type Exec = (
  command: string,
  parts: { value: string }[],
  options: { onPlusTag(said: object): unknown },
) => unknown;

/** imapflow sends a token with its command, also to a server that takes it only once it asks (RFC 4959). */
function waitBeforeSecrets(client: ImapFlow): void {
  const session = client as unknown as { exec: Exec; write(line: string): void };
  const exec = session.exec.bind(client);
  session.exec = (command, parts, options) => {
    const [mechanism, secret] = parts || [];
    if (command !== 'AUTHENTICATE' || !secret || client.capabilities.has('SASL-IR'))
      return exec(command, parts, options);
    let isAsked = false;
    const onPlusTag = async (said: object) => {
      await (isAsked ? options.onPlusTag(said) : session.write(secret.value));
      isAsked = true;
    };
    return exec(command, [mechanism!], { ...options, onPlusTag });
  };
}

/** One IMAP session. However it ends, `ended` returns the reason, and every waiting command fails. */
function guard(client: ImapFlow, pace: Pace, provider: Provider) {
  let end: Error | null = null;
  // Without a listener the first time-out would end the process.
  client.on('error', error => {
    end ??= error;
  });
  client.on('close', () => {
    end ??= Object.assign(new Error('the server ended the session'), { reason: byeOf(client) });
  });
  const endWith = (error: Error) => {
    end ??= error;
    client.close();
    return error;
  };

  // imapflow takes BYE as a success, so a search would find nothing.
  client.on('response', ({ response }) => {
    if (response === 'BYE') endWith(new Error('the server ended the session'));
  });

  /** Runs one command with a limit on time and on the server's bytes; above either the session ends. */
  async function run<T>(command: (client: ImapFlow) => Promise<T>, limit = pace.command): Promise<T> {
    if (end) throw explainFailure(end, provider);
    const before = client.stats().received;
    const watch = setInterval(() => {
      if (client.stats().received - before > mostAnswerBytes) {
        endWith(Object.assign(new Error('the answer is too long'), { code: 'AnswerTooLarge' }));
      }
    }, 100);
    // One promise per command: waiters on a promise of the whole session would pile up during its life.
    const gone = Promise.withResolvers<never>();
    const onEnd = () => gone.reject(end);
    client.once('close', onEnd);
    try {
      return await withLimit(Promise.race([command(client), gone.promise]), limit, () =>
        endWith(unanswered()),
      );
    } catch (error) {
      // imapflow says "connection not available"; the socket's own error has the cause.
      throw explainFailure(end ?? error, provider);
    } finally {
      clearInterval(watch);
      client.off('close', onEnd);
    }
  }
  return {
    client,
    run,
    /** The reason why the session ended; null while it lives. */
    ended: () => end && explainFailure(end, provider),
    close: () => void endWith(new Error('closed by us')),
  };
}

function byeOf(client: ImapFlow): string {
  const said = (client as { byeReason?: unknown }).byeReason;
  return typeof said === 'string' ? said : '';
}

/**
 * INBOX first, then the spam folder, Gmail's All Mail (for alerts that a filter archived), and the merchant's own
 * choice.
 */
export async function chooseFolders(connection: Connection, extra: readonly string[]): Promise<string[]> {
  const listed = await connection.run(client => client.list());
  const usable = listed.filter(
    folder => !folder.flags.has('\\Noselect') && !folder.flags.has('\\NonExistent'),
  );
  const special = usable
    .filter(({ specialUse, path }) => (specialUse === '\\Junk' || specialUse === '\\All') && path !== 'INBOX')
    .map(folder => folder.path);
  const named = usable.map(folder => folder.path).filter(path => extra.includes(path));
  return [...new Set(['INBOX', ...special.slice(0, mostExtraFolders), ...named])];
}
