import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The proxy's action on one request. */
export type Fault =
  | 'pass'
  | 'drop before'
  /** The service has answered, and its answer is lost on the way. */
  | 'drop after'
  | 'hang'
  | { status: number; headers?: Record<string, string>; body: string };

export type FailingProxy = {
  url: string;
  /** Every request that came, with its path and key. */
  seen: { method: string; path: string; key: string | undefined }[];
  stop(): Promise<void>;
};

/** A proxy in front of the service that fails as listed, request by request; after the list all pass. */
export async function startFailingProxy(target: string, faults: readonly Fault[]): Promise<FailingProxy> {
  const seen: FailingProxy['seen'] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const fault = faults[seen.length] ?? 'pass';
    const path = request.url ?? '/';
    seen.push({
      method: request.method ?? '',
      path,
      key: request.headers['x-api-key'] as string | undefined,
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (fault === 'hang') return;
    if (fault === 'drop before') return void response.destroy();
    if (typeof fault === 'object') {
      return void response.writeHead(fault.status, fault.headers ?? {}).end(fault.body);
    }
    const upstream = await fetch(`${target}${path}`, {
      method: request.method ?? 'GET',
      headers: {
        'x-api-key': String(request.headers['x-api-key']),
        ...(chunks.length > 0 && { 'content-type': 'application/json' }),
      },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await upstream.text();
    if (fault === 'drop after') return void response.destroy();
    response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type Through = (
  faults: readonly Fault[],
  play: (proxy: Pick<FailingProxy, 'url' | 'seen'>) => Promise<void>,
) => Promise<void>;

/** Plays something through a proxy with these faults. */
export async function throughFaults(target: string, ...[faults, play]: Parameters<Through>): Promise<void> {
  const proxy = await startFailingProxy(target, faults);
  try {
    await play(proxy);
  } finally {
    await proxy.stop();
  }
}
