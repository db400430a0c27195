import { Client } from 'undici';
import { second } from '../clock.ts';
import { guardedConnector } from '../network/guarded-connect.ts';
import type { Host } from '../network/parse-destination.ts';
import type { World } from '../world.ts';

/** A connection to a shop's server, opened by its first request. It carries one request at a time. */
export type Line = {
  readonly client: Client;
  readonly origin: string;
  /** The address that the guard let us dial; null before the first request. */
  peer: string | null;
  /** Ends whatever the line does at present. */
  signal: AbortSignal;
};

/** Lines that stand idle between two webhooks: a shop that sells much is spared a handshake for each sale. */
export type Lines = {
  take(origin: string): Line | null;
  keep(line: Line): void;
  close(): void;
};

/** As many as there are attempts at once. */
const mostKept = 256;
/** Below the five seconds after which many servers hang up. */
const keptFor = 4 * second;
const mostHeaderBytes = 16 * 1024;

/** No cookies, no proxy from the environment, no redirects, no HTTP/2; every connection it opens passes the guard. */
export function newLine(
  world: Pick<World, 'dns' | 'config'>,
  host: Host,
  origin: string,
  signal: AbortSignal,
): Line {
  const connect = guardedConnector(world, host, {
    signal: () => line.signal,
    onPeer: peer => {
      line.peer = peer;
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
  const line: Line = { client, origin, peer: null, signal };
  return line;
}

export function dropLine({ client }: Line): void {
  void client.destroy().catch(() => {});
}

export function openLines(): Lines {
  const idle = new Map<Line, NodeJS.Timeout>();
  let isOpen = true;
  const forget = (line: Line) => {
    clearTimeout(idle.get(line));
    idle.delete(line);
  };
  const end = (line: Line) => {
    forget(line);
    dropLine(line);
  };
  return {
    take(origin) {
      const line = [...idle.keys()].findLast(one => one.origin === origin);
      if (!line) return null;
      forget(line);
      return line;
    },
    keep(line) {
      if (!isOpen) return dropLine(line);
      if (idle.size >= mostKept) end(idle.keys().next().value!);
      idle.set(line, setTimeout(() => end(line), keptFor).unref());
    },
    close() {
      isOpen = false;
      for (const line of [...idle.keys()]) end(line);
    },
  };
}
