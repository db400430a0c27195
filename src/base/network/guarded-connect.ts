import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { second } from '../clock.ts';
import type { World } from '../world.ts';
import { isAllowedAddress, isLocalhost } from './allow-list.ts';
import type { Host } from './parse-destination.ts';
import { isSameAddress } from './public-address.ts';

/** The name resolves to a forbidden address. The message must not contain the address. */
export class RefusedAddress extends Error {
  constructor() {
    super('the host resolves to an address that is not public');
  }
}

/**
 * Resolves a host again each time and checks all answers. One private address refuses all, because the owner of the
 * answer decides which one a client picks. Nothing is cached: the caller must dial exactly these addresses, so changing
 * the answer (DNS rebinding) gains nothing. Throws DnsError or RefusedAddress.
 */
export async function checkedAddresses(
  { dns, config }: Pick<World, 'dns' | 'config'>,
  host: Host,
): Promise<string[]> {
  // `localhost` only gets here if it is allowed. It means this machine, whatever a DNS server says (RFC 6761).
  if (!host.isLiteral && isLocalhost(host.name)) return ['127.0.0.1', '::1'];
  const addresses = host.isLiteral ? [host.name] : await dns.lookupAddresses(host.name);
  if (!host.isTrusted && !addresses.every(address => isAllowedAddress(config, address))) {
    throw new RefusedAddress();
  }
  return addresses;
}

/** No connection was possible. The error says no more, or callers could tell open ports from closed ones. */
export class NoConnection extends Error {
  constructor() {
    super('no connection could be made');
  }
}

export class TlsFailed extends Error {}

export type GuardedOptions = {
  /** Starts with TLS; the certificate must match the host's name. */
  tls: boolean;
  signal: AbortSignal;
  alpn?: string[];
};

const mostAddresses = 4;
const oneAddressLimit = 4 * second;

/**
 * Connects to a host that a stranger named (R11), for webhooks and IMAP alike. The guard is in the connection itself,
 * so no caller can forget it. It resolves the name, checks every answer, dials only checked addresses and verifies the
 * peer. Throws DnsError, RefusedAddress, NoConnection, TlsFailed, or the signal's reason.
 */
export async function guardedConnect(
  world: Pick<World, 'dns' | 'config'>,
  host: Host,
  { tls, signal, alpn = [] }: GuardedOptions,
): Promise<Socket | TLSSocket> {
  const addresses = await unlessAborted(checkedAddresses(world, host), signal);
  for (const address of bothFamilies(addresses).slice(0, mostAddresses)) {
    const socket = await dial(address, host.port, signal);
    if (socket === null) continue;
    // The connection was reset at once: the kernel knows no peer any more.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      continue;
    }
    if (!isRightPeer(world, host, address, socket)) {
      socket.destroy();
      throw new RefusedAddress();
    }
    return tls ? await secure(socket, host, alpn, signal) : socket;
  }
  throw new NoConnection();
}

type ConnectorOptions = {
  /** The current caller's signal; the connector lives longer. */
  signal(): AbortSignal;
  onPeer(address: string): void;
};

/** The same for undici, which never calls its own `connect.lookup` for address literals. */
export function guardedConnector(
  world: Pick<World, 'dns' | 'config'>,
  host: Host,
  { signal, onPeer }: ConnectorOptions,
): buildConnector.connector {
  return (options, callback) => {
    const tls = options.protocol === 'https:';
    guardedConnect(world, host, { tls, signal: signal(), alpn: ['http/1.1'] }).then(
      socket => {
        onPeer(socket.remoteAddress ?? '');
        callback(null, socket);
      },
      error => callback(error, null),
    );
  };
}

/** Whether we would dial an open connection's peer now, so that a kept connection is checked at every send. */
export async function isStillRight(
  world: Pick<World, 'dns' | 'config'>,
  host: Host,
  peer: string,
  signal: AbortSignal,
): Promise<boolean> {
  const addresses = await unlessAborted(checkedAddresses(world, host), signal);
  return addresses.some(address => isSameAddress(peer, address));
}

/** Alternates A1, AAAA1, A2, AAAA2 …, so that a machine without IPv6, or a dead first address, still connects. */
function bothFamilies(addresses: readonly string[]): string[] {
  const four = addresses.filter(address => !address.includes(':'));
  const six = addresses.filter(address => address.includes(':'));
  const longer = Math.max(four.length, six.length);
  return Array.from({ length: longer }, (_, place) => [four[place], six[place]])
    .flat()
    .filter(address => address !== undefined);
}

async function dial(address: string, port: number, signal: AbortSignal): Promise<Socket | null> {
  signal.throwIfAborted();
  const socket = connectTcp({ host: address, port, autoSelectFamily: false });
  // Keep this listener for the socket's life, or an unhandled error would end the process.
  socket.on('error', () => {});
  const timer = setTimeout(() => socket.destroy(new Error('no answer')), oneAddressLimit);
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch {
    socket.destroy();
    signal.throwIfAborted();
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** The last check: the kernel's peer must be the checked address. */
function isRightPeer(
  { config }: Pick<World, 'config'>,
  host: Host,
  address: string,
  { remoteAddress = '' }: Socket,
): boolean {
  if (!isSameAddress(remoteAddress, address)) return false;
  return host.isTrusted || isAllowedAddress(config, address);
}

function secure(socket: Socket, host: Host, alpn: string[], signal: AbortSignal): Promise<TLSSocket> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      // The certificate must match `host`. An address must not be sent as a server name (RFC 6066).
      host: host.name,
      servername: host.isLiteral ? '' : host.name,
      rejectUnauthorized: true,
      ...(alpn.length > 0 && { ALPNProtocols: alpn }),
    });
    const endWith = (finish: () => void) => {
      signal.removeEventListener('abort', aborted);
      finish();
    };
    const aborted = () => {
      endWith(() => reject(signal.reason));
      secured.destroy();
    };
    const failed = (error?: Error & { code?: string }) => {
      endWith(() => reject(new TlsFailed(error?.code ?? 'the handshake was cut off')));
    };
    signal.addEventListener('abort', aborted, { once: true });
    secured.on('error', failed);
    secured.once('close', () => failed());
    secured.once('secureConnect', () => endWith(() => resolve(secured)));
  });
}

/** A DNS query cannot be cancelled, but waiting for it can. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason);
    if (signal.aborted) return aborted();
    signal.addEventListener('abort', aborted, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted));
  });
}
