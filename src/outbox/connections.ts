import { Client } from 'undici';
import { second } from '../base/clock.ts';
import { guardedConnector } from '../base/network/guarded-connect.ts';
import type { Host } from '../base/network/parse-destination.ts';
import type { World } from '../base/world.ts';

/** A connection to a shop's server, opened by its first request. It carries one request at a time. */
export type ShopConnection = {
  readonly client: Client;
  readonly origin: string;
  /** The address that passed the network guard; null before the first request. */
  peer: string | null;
  signal: AbortSignal;
};

/** Keeps connections open between webhooks, so that a busy shop needs no handshake for each sale. */
export type ShopConnections = {
  take(origin: string): ShopConnection | null;
  keep(connection: ShopConnection): void;
  close(): void;
};

/** Equal to the number of parallel attempts. */
const mostKept = 256;
/** Many servers hang up after five seconds. */
const keptFor = 4 * second;
const mostHeaderBytes = 16 * 1024;

/** Every connection passes the network guard. There are no cookies, environment proxies, redirects or HTTP/2. */
export function newShopConnection(
  world: Pick<World, 'dns' | 'config'>,
  host: Host,
  origin: string,
  signal: AbortSignal,
): ShopConnection {
  const connect = guardedConnector(world, host, {
    signal: () => connection.signal,
    onPeer: peer => {
      connection.peer = peer;
    },
  });
  const client = new Client(origin, {
    connect,
    allowH2: false,
    maxHeaderSize: mostHeaderBytes,
    keepAliveMaxTimeout: keptFor,
    // One limit covers the whole attempt. A second one would make the reason in the merchant's log unclear.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const connection: ShopConnection = { client, origin, peer: null, signal };
  return connection;
}

export function dropShopConnection({ client }: ShopConnection): void {
  void client.destroy().catch(() => {});
}

export function openShopConnections(): ShopConnections {
  const idle: Idle[] = [];
  let isOpen = true;
  const end = (one: Idle) => {
    clearTimeout(one.timer);
    idle.splice(idle.indexOf(one), 1);
    dropShopConnection(one.connection);
  };
  return {
    take(origin) {
      // Take the most recently used connection, so that the others can expire.
      const place = idle.findLastIndex(({ connection }) => connection.origin === origin);
      const [one] = place < 0 ? [] : idle.splice(place, 1);
      clearTimeout(one?.timer);
      return one?.connection ?? null;
    },
    keep(connection) {
      if (!isOpen) return dropShopConnection(connection);
      if (idle.length >= mostKept) end(idle[0]!);
      const one: Idle = { connection, timer: setTimeout(() => end(one), keptFor).unref() };
      idle.push(one);
    },
    close() {
      isOpen = false;
      while (idle.length > 0) end(idle[0]!);
    },
  };
}

type Idle = { connection: ShopConnection; timer: NodeJS.Timeout };
