import { createServer } from 'node:net';

/** A port of this machine that nobody listens on at this moment: the one that is wanted, or any. */
export function freePort(host = '127.0.0.1', wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(wanted, host, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
