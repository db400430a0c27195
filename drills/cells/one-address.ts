import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

type OneAddress = { url: string; stop(): Promise<void> };

/** One address for several web processes, each connection to the next of those that take it, as a balancer does. */
export async function openOneAddress(ports: readonly number[]): Promise<OneAddress> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer({ pauseOnConnect: true }, near => {
    const tryNext = (tries: number) => {
      const far = connect(ports[turn++ % ports.length]!, '127.0.0.1');
      far.once('connect', () => {
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(one);
          one.on('error', () => {});
          one.on('close', () => {
            sockets.delete(one);
            other.destroy();
          });
        }
        near.pipe(far);
        far.pipe(near);
        near.resume();
      });
      far.once('error', () => {
        if (!near.destroyed && tries > 1) tryNext(tries - 1);
        else near.destroy();
      });
    };
    near.on('error', () => {});
    tryNext(ports.length);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
