import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the ports that machines give to connections going out: one of those may be gone before we listen on it. */
const [first, last] = [20_000, 32_000];

/** A port of this machine that nobody listens on at this moment: the one that is wanted, or any. */
export async function freePort(host = '127.0.0.1', wanted = 0): Promise<number> {
  if (wanted !== 0) return await tried(host, wanted);
  for (let tries = 0; tries < 20; tries++) {
    const port = await ours(randomInt(first, last))
      .then(drawn => tried(host, drawn))
      .catch(() => null);
    if (port !== null) return port;
  }
  return await tried(host, 0);
}

/** Before anybody listens on it another process could draw it too: its UDP twin is held until this one ends. */
function ours(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const twin = createSocket('udp4').once('error', reject).unref();
    twin.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(port));
  });
}

function tried(host: string, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(wanted, host, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
