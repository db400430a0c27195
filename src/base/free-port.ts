import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the ephemeral ports, which an outgoing connection could take before we listen. */
const [first, last] = [20_000, 32_000];

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

/** Until we listen, another process could choose the same port. So its UDP twin is held until this process ends. */
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
