import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { path: string; headers: Record<string, string>; body: string };

/** A shop's server on loopback: remembers what came, and answers as the test says. */
export type Receiver = {
  url: string;
  port: number;
  received: Received[];
  /** The most requests that were open at once. */
  mostAtOnce(): number;
  /** Resolves when `count` requests have come in all. */
  until(count: number): Promise<void>;
  stop(): Promise<void>;
};

export type Answering = (response: ServerResponse, request: IncomingMessage) => void;

export const answer =
  (status: number, body = 'ok', headers: Record<string, string> = {}): Answering =>
  response => {
    response.writeHead(status, headers).end(body);
  };

export async function startReceiver(answering: Answering = answer(200)): Promise<Receiver> {
  const received: Received[] = [];
  let atOnce = 0;
  let most = 0;
  const server = createServer((request, response) => {
    atOnce++;
    most = Math.max(most, atOnce);
    response.on('close', () => atOnce--);
    let body = '';
    request.setEncoding('utf8');
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      received.push({ path: request.url ?? '', headers, body });
      server.emit('received');
      answering(response, request);
    });
    request.on('error', () => {});
  });
  server.setMaxListeners(0);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    mostAtOnce: () => most,
    async until(count) {
      while (received.length < count) await once(server, 'received');
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
