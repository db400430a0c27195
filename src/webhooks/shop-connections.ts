import { Client } from 'undici';
import { second } from '../clock.ts';
import { guardedConnector } from '../network/guarded-connect.ts';
import type { Host } from '../network/parse-destination.ts';
import type { World } from '../world.ts';

/** A connection to a shop's server, opened by its first request. It carries one request at a time. */
export type ShopConnection = {
  readonly client: Client;
  readonly origin: string;
  /** The address that the guard let us dial; null before the first request. */
  peer: string | null;
  /** Ends whatever the connection does at present. */
  signal: AbortSignal;
};

/** Connections that stand idle between two webhooks: a shop that sells much is spared a handshake for each sale. */
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
  const idle = new Map<ShopConnection, NodeJS.Timeout>();
  let isOpen = true;
  const forget = (connection: ShopConnection) => {
    clearTimeout(idle.get(connection));
    idle.delete(connection);
  };
  const end = (connection: ShopConnection) => {
    forget(connection);
    dropShopConnection(connection);
  };
  return {
    take(origin) {
      const connection = [...idle.keys()].findLast(one => one.origin === origin);
      if (!connection) return null;
      forget(connection);
      return connection;
    },
    keep(connection) {
      if (!isOpen) return dropShopConnection(connection);
      if (idle.size >= mostKept) end(idle.keys().next().value!);
      idle.set(connection, setTimeout(() => end(connection), keptFor).unref());
    },
    close() {
      isOpen = false;
      for (const connection of [...idle.keys()]) end(connection);
    },
  };
}
