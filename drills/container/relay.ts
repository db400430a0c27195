import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

const loopback = '127.0.0.1';

/** Brings what listens on this machine's loopback to another address of it, under the same port: TCP, and UDP for DNS. */
export async function relay(
  address: string,
  ports: { tcp: number[]; udp: number },
): Promise<{ stop(): void }> {
  const open = new Set<Socket>();
  const servers = ports.tcp.map(port => {
    const server = createServer(near => {
      const far = connect(port, loopback);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.once('close', () => {
          open.delete(one);
          other.destroy();
        });
      }
    });
    return server.listen(port, address);
  });
  const questions = createSocket('udp4');
  questions.on('message', (question, from) => {
    const asking = createSocket('udp4');
    asking.once('message', answer => {
      questions.send(answer, from.port, from.address);
      asking.close();
    });
    asking.send(question, ports.udp, loopback);
  });
  questions.bind(ports.udp, address);
  await Promise.all([...servers, questions].map(one => once(one, 'listening')));
  return {
    stop() {
      for (const socket of open) socket.destroy();
      for (const server of servers) server.close();
      questions.close();
    },
  };
}
