import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { extendBanks } from '../../alerts/banks/load-banks.ts';
import { selectEntries } from '../../alerts/book/queries.ts';
import { serviceAt } from '../../alerts/mailboxes/mail-services.ts';
import { trustedRoots } from '../../alerts/mailboxes/open-connection.ts';
import { second } from '../../base/clock.ts';
import type { Sql } from '../../base/database/connect.ts';
import { type Dns, DnsError } from '../../base/network/dns.ts';
import type { Config } from '../../base/settings/config.ts';
import { banksOf } from '../open-world.ts';
import { type Finding, fault, fine, warning } from './finding.ts';
import { countWeekLongSignIns, selectMailProviders } from './queries.ts';

/** A key of a large bank's alerts, asked for until this installation has seen another bank key. */
const wellKnownKey = 'acls01._domainkey.hdfcbank.bank.in';

export async function checkMail(sql: Sql, dns: Dns, config: Config): Promise<Finding[]> {
  return [
    await bankKey(sql, dns),
    ...(await mailServers(sql, dns, config)),
    ...(await mailProviders(sql)),
    await mailOut(config),
    ...endingLogin(config),
    ...(await savedEntries(sql, config)),
  ];
}

async function bankKey(sql: Sql, dns: Dns): Promise<Finding> {
  const name =
    (await sql<{ name: string }[]>`select name from dkim_keys order by last_seen desc limit 1`.value()) ??
    wellKnownKey;
  try {
    const records = await dns.lookupText(name);
    return records.some(record => /\bp=[A-Za-z0-9+/]{100}/.test(record))
      ? fine('DNS', `the key at ${name} is found`)
      : warning(
          'DNS',
          `there is no key at ${name}`,
          'ask another resolver (DNS_SERVERS): if it has one, yours is wrong',
        );
  } catch (error) {
    if (!(error instanceof DnsError)) throw error;
    const todo =
      'no payment is confirmed without DNS: try other servers (DNS_SERVERS), and whether port 53 is open';
    return error.kind === 'temporary'
      ? fault('DNS', error.message, todo)
      : warning('DNS', error.message, todo);
  }
}

async function mailServers(sql: Sql, dns: Dns, { imapCa }: Config): Promise<Finding[]> {
  const hosts = await sql<{ host: string; port: number; mailboxes: number }[]>`
    select host, port, count(*) as mailboxes from mailboxes group by host, port order by count(*) desc limit 5`;
  if (hosts.length === 0) return [fine('IMAP', 'no mailbox is connected yet')];
  return await Promise.all(
    hosts.map(async ({ host, port, mailboxes }) => {
      const found = `${host}:${port} (${mailboxes} ${mailboxes === 1 ? 'mailbox' : 'mailboxes'})`;
      try {
        const [address = host] = await dns.lookupAddresses(host);
        const secureContext = trustedRoots(imapCa);
        const secured = { servername: host, ...(secureContext && { secureContext }) };
        const greeting = await hearGreeting(connectTls({ host: address, port, ...secured }));
        return /^\* (?:OK|PREAUTH)/.test(greeting)
          ? fine('IMAP', `${found} answers`)
          : fault('IMAP', `${found} says ${greeting.slice(0, 80)}`, 'ask its provider');
      } catch (error) {
        return fault(
          'IMAP',
          `${found}: ${(error as Error).message}`,
          'check the firewall (outgoing 993) and DNS',
        );
      }
    }),
  );
}

export async function mailProviders(sql: Sql): Promise<Finding[]> {
  const found = (await selectMailProviders(sql)).flatMap(({ provider, mailboxes }) => {
    const { name, mailbox, source } = serviceAt(provider);
    const said = `${mailboxes} at ${name}, said to alter mails (${source})`;
    const todo = 'ask these shops to give their bank the forwarding address: see docs/mailboxes.md';
    return mailbox === 'works' ? [] : [warning('mailboxes', said, todo)];
  });
  const ended = await countWeekLongSignIns(sql);
  const said = `${ended} sign-ins ended about seven days after they began`;
  const todo = 'an app in the state “Testing” loses them then: set it to “In production” in Google’s console';
  return ended === 0 ? found : [...found, warning('Google', said, todo)];
}

async function mailOut({ smtpUrl }: Config): Promise<Finding> {
  if (smtpUrl === null)
    return warning(
      'mail out',
      'SMTP_URL is not set',
      'owners see notices only on the dashboard, and cannot reset a password by mail',
    );
  const { createTransport } = await import('nodemailer');
  const limits = { connectionTimeout: answerLimit, greetingTimeout: answerLimit, socketTimeout: answerLimit };
  const transport = createTransport({ url: smtpUrl, ...limits });
  const { host } = new URL(smtpUrl);
  try {
    await transport.verify();
    return fine('mail out', `${host} takes our login`);
  } catch (error) {
    return fault(
      'mail out',
      `${host}: ${(error as Error).message}`,
      'correct SMTP_URL, or open the firewall to it',
    );
  } finally {
    transport.close();
  }
}

export function endingLogin({ smtpUrl }: Pick<Config, 'smtpUrl'>): Finding[] {
  const { hostname, password } = smtpUrl === null ? { hostname: '', password: '' } : new URL(smtpUrl);
  if (hostname !== 'smtp.office365.com' || password === '') return [];
  const todo = 'before then, set SMTP_URL to a server that accepts passwords, or to your own relay';
  return [warning('mail out', `Microsoft ends password logins at ${hostname} from December 2026 on`, todo)];
}

/** Loads the saved bank entries in the same way as a process does. */
export async function savedEntries(sql: Sql, config: Config): Promise<Finding[]> {
  const saved = await selectEntries(sql);
  const { skipped } = extendBanks(banksOf(config), saved);
  if (skipped.length === 0) return [fine('banks', `all ${saved.length} saved entries are in use`)];
  const todo =
    "remove it on the operator's screen Banks; if it is needed, draft it again in the Bank workshop";
  return skipped.map(({ entryId, error, isUsed }) => {
    const name = `saved entry ${entryId} of ${saved.find(row => row.entry_id === entryId)?.bank}`;
    return isUsed
      ? warning('banks', `${name} is used without a line: ${error.message}`, 'keep it; list a line that fits')
      : fault('banks', `${name} is left out: ${error.message}`, todo);
  });
}

/** The doctor waits at most this long for a mail server or a name server. */
export const answerLimit = 8 * second;

export function hearGreeting(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(answerLimit, () => socket.destroy(new Error('no answer in time')));
    socket.once('error', reject);
    socket.once('data', chunk => {
      resolve(String(chunk));
      socket.destroy();
    });
  });
}
