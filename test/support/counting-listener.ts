import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { has } from './needs.ts';

/** Counts the connections that reach it: the proof that a guard let none through. */
export type CountingListener = { port: number; connections(): number; stop(): Promise<void> };

export async function listenAndCount(address: string, port = 0): Promise<CountingListener> {
  let count = 0;
  const open = new Set<Socket>();
  const server = createServer(socket => {
    count++;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  // Without IPv6, nothing can reach its address.
  if (address === '::1' && !has('IPv6')) return { port, connections: () => 0, stop: async () => {} };
  server.listen({ host: address, port, ipv6Only: true });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    async stop() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
