import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { SMTPServer } from 'smtp-server';
import { minute, second } from '../../base/clock.ts';
import { keepWorking, type Worker } from '../../base/database/keep-working.ts';
import { listenProblem } from '../../base/listen-problem.ts';
import type { CertificateFiles, MailSocket } from '../../base/settings/config-mail.ts';
import type { World } from '../../base/world.ts';
import { findBank } from '../banks/bank.ts';
import { type MailServerTools, openMailServer, openPostmaster } from './open-mail-server.ts';
import type { ReceiveTools } from './receive-mail.ts';
import { openHands, openTraffic } from './traffic.ts';

/** The connection ends after this long without a byte, and after a session of this length. */
const usualPatience = { idle: 30 * second, session: 5 * minute };

export type MailServers = {
  /** The port for SMTP; null if mail comes only by LMTP. */
  smtpPort: number | null;
  lmtp: MailSocket | null;
  stop(): Promise<void>;
};

type Options = Pick<ReceiveTools, 'workerSlots' | 'step'> & { patience?: MailServerTools['patience'] };

/** Part of the `receive` role: takes forwarded mail for all cells. Several processes may run it. */
export async function startMailServers(
  world: World,
  { workerSlots = null, step, patience = usualPatience }: Options = {},
): Promise<MailServers> {
  const { config } = world;
  const { mailDomain, receivePort, receiveLmtp, receiveCertificate } = config;
  if (mailDomain === null) return { smtpPort: null, lmtp: null, stop: async () => {} };
  const common: Omit<MailServerTools, 'lmtp' | 'tls'> = {
    name: mailDomain,
    patience,
    traffic: openTraffic({ rates: config.rateLimits !== 'off' }),
    hands: openHands(),
    takePostmasterMail: openPostmaster(world),
    isBankSender: address =>
      (world.cells?.worlds ?? [world]).some(({ banks }) => findBank(banks.current(), address) !== null),
    workerSlots,
    ...(step && { step }),
  };
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(stops.splice(0).map(one => one()));
  };
  const mailServers: MailServers = { smtpPort: null, lmtp: null, stop };
  try {
    if (receivePort !== null) {
      const tls = receiveCertificate && readCertificate(receiveCertificate);
      const server = openMailServer(world, { ...common, lmtp: false, tls });
      await listen(server, { host: config.receiveHost, port: receivePort });
      stops.push(() => close(server));
      if (receiveCertificate) stops.push(followCertificate(world, server, receiveCertificate).stop);
      mailServers.smtpPort = (server.server.address() as AddressInfo).port;
    }
    if (receiveLmtp !== null) {
      const server = openMailServer(world, { ...common, lmtp: true, tls: null });
      // A killed process may have left its socket file.
      if ('path' in receiveLmtp) await rm(receiveLmtp.path, { force: true });
      await listen(server, receiveLmtp);
      stops.push(() => close(server));
      // The socket's folder decides who may reach it.
      if ('path' in receiveLmtp) await chmod(receiveLmtp.path, 0o666);
      const bound = server.server.address();
      mailServers.lmtp =
        bound !== null && typeof bound === 'object' ? { host: bound.address, port: bound.port } : receiveLmtp;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return mailServers;
}

function readCertificate({ cert, key }: CertificateFiles): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

/** A certificate is renewed every few weeks, and nobody notifies this process. */
function followCertificate(world: World, server: SMTPServer, files: CertificateFiles): Worker {
  let known = readCertificate(files);
  return keepWorking(world, { what: 'reading the mail certificate', pause: 1 * minute }, async () => {
    try {
      const found = readCertificate(files);
      if (found.cert.equals(known.cert) && found.key.equals(known.key)) return;
      server.updateSecureContext(found);
      known = found;
    } catch (error) {
      // The file may be only half written.
      world.log.warn({ err: error }, 'the mail certificate cannot be read; the previous one stays');
    }
  });
}

async function listen(server: SMTPServer, where: MailSocket): Promise<void> {
  server.listen(where);
  try {
    await once(server.server, 'listening');
  } catch (error) {
    throw 'path' in where ? error : listenProblem(error as Error, where.host, where.port, 'RECEIVE_PORT');
  }
}

/** Mails in progress are stored and answered first, for a few seconds. */
function close(server: SMTPServer): Promise<void> {
  return new Promise(resolve => server.close(resolve));
}
