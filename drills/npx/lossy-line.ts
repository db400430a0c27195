import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The network between a laptop and the service: whole, or lost with every connection on it. */
export async function openLossyLine(port: number) {
  const sockets = new Set<Socket>();
  let isLost = false;
  const server = createServer(client => {
    if (isLost) return void client.resetAndDestroy();
    const service = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose(): void {
      isLost = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend(): void {
      isLost = false;
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
