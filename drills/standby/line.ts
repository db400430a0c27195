import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP address that stays while what answers behind it changes: the "virtual address" of a database. */
export type Line = {
  port: number;
  /** Sets the port for new connections; null refuses them. Open connections are cut. */
  point(port: number | null): void;
  /** Holds all data back without closing connections. Held data is lost once the line is cut. */
  pause(): void;
  stop(): Promise<void>;
};

export async function openLine(target: number): Promise<Line> {
  let to: number | null = target;
  let held = false;
  const sockets = new Set<Socket>();
  const server = createServer(near => {
    if (to === null) return void near.destroy();
    const far = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('data', chunk => {
        if (!held) other.write(chunk);
      });
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    point(port) {
      to = port;
      held = false;
      cut();
    },
    pause() {
      held = true;
    },
    async stop() {
      to = null;
      cut();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
