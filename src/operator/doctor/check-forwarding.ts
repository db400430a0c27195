import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import { silentAfter } from '../../alerts/forwarding/forwarding-state.ts';
import { countForwardings } from '../../alerts/forwarding/queries/probes.ts';
import { later, systemClock } from '../../base/clock.ts';
import type { Sql } from '../../base/database/connect.ts';
import type { Config } from '../../base/settings/config.ts';
import { answerLimit, hearGreeting } from './check-mail.ts';
import { type Finding, fault, fine, warning } from './finding.ts';

/** Mail servers deliver only to this port. */
const smtpPort = 25;

export async function checkForwarding(
  sql: Sql,
  { mailDomain, dnsServers }: Pick<Config, 'mailDomain' | 'dnsServers'>,
  port = smtpPort,
): Promise<Finding[]> {
  if (mailDomain === null)
    return [fine('mail in', 'MAIL_DOMAIN is not set: alerts are read in mailboxes only')];
  const resolver = new Resolver({ timeout: answerLimit / 2, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const found = await resolver.resolveMx(mailDomain).catch((error: NodeJS.ErrnoException) => error.code);
  if (!Array.isArray(found) || found.length === 0)
    return [
      fault(
        'MX',
        `${mailDomain} has no MX record (${found})`,
        'add one that names this machine, or forwarded alerts get lost',
      ),
    ];
  const hosts = found.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
  const greetings = hosts.map(async host => {
    try {
      const [address = host] = await resolver.resolve4(host).catch(() => resolver.resolve6(host));
      const greeting = await hearGreeting(connect({ host: address, port }));
      return greeting.startsWith('220')
        ? fine('mail in', `${host} port ${port} greets`)
        : fault('mail in', `${host} port ${port} says ${greeting.slice(0, 80)}`, 'check what listens there');
    } catch (error) {
      // Some networks cannot reach their own public address from inside, so this is only a warning.
      return warning(
        'mail in',
        `${host} port ${port}: ${(error as Error).message}`,
        'try it from another machine; open port 25 to the world, and start the role receive',
      );
    }
  });
  return [
    fine('MX', `${mailDomain} leads to ${hosts.join(', ')}`),
    ...(await Promise.all(greetings)),
    await probes(sql),
  ];
}

async function probes(sql: Sql): Promise<Finding> {
  const { open, silent } = await countForwardings(sql, later(systemClock.now(), -silentAfter));
  return silent === 0
    ? fine('forwardings', `${open} open, none silent`)
    : warning(
        'forwardings',
        `${silent} of ${open} no longer bring mail`,
        'their owners were notified; if all stopped at once, look at this machine: see docs/mail-in.md',
      );
}
