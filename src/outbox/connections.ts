import { Client } from 'undici';
import { second } from '../base/clock.ts';
import { guardedConnector } from '../base/network/guarded-connect.ts';
import type { Host } from '../base/network/parse-destination.ts';
import type { World } from '../base/world.ts';

/** A connection to a shop's server, opened by its first request. It carries one request at a time. */
export type ShopConnection = {
  readonly client: Client;
  readonly origin: string;
  /** The address that the guard let us dial; null before the first request. */
  peer: string | null;
  /** Ends whatever the connection does at present. */
  signal: AbortSignal;
};

/** Connections kept open between two webhooks: a busy shop is spared a handshake for each sale. */
export type ShopConnections = {
  take(origin: string): ShopConnection | null;
  keep(connection: ShopConnection): void;
  close(): void;
};

/** As many as there are attempts at once. */
const mostKept = 256;
/** Below the five seconds after which many servers hang up. */
const keptFor = 4 * second;
const mostHeaderBytes = 16 * 1024;

/** No cookies, no proxy from the environment, no redirects, no HTTP/2; every connection it opens passes the guard. */
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
    // One limit over a whole attempt; a second clock would only blur what is told to the merchant.
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
      // The one that was used last: the others may rest and go.
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
