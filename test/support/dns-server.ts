import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  type Answer,
  decode,
  encode,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
} from 'dns-packet';

const serverFailure = 2;
const noSuchName = 3;

/** Records, a failure, or silence. */
export type DnsReply = Answer[] | 'servfail' | 'nxdomain' | 'silence';

export type DnsServer = { address: string; asked: string[]; stop(): Promise<void> };

/** A real name server on loopback whose answers the test writes. */
export async function startDnsServer(answer: (question: Question) => DnsReply): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, from) => {
    const { id, questions = [] } = decode(message);
    const question = questions[0]!;
    asked.push(`${question.name} ${question.type}`);
    const reply = answer(question);
    if (reply === 'silence') return;
    const code = reply === 'servfail' ? serverFailure : reply === 'nxdomain' ? noSuchName : 0;
    const flags = RECURSION_AVAILABLE | RECURSION_DESIRED | code;
    const answers = Array.isArray(reply) ? reply : [];
    socket.send(encode({ type: 'response', id, flags, questions, answers }), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    async stop() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** Answers by name: addresses of either family, each asked-for type getting its own. */
export function addresses(table: Record<string, string[]>): (question: Question) => DnsReply {
  return ({ name, type }) => {
    const found = table[name];
    if (!found) return 'nxdomain';
    return found
      .filter(address => (type === 'AAAA') === address.includes(':'))
      .map(data => ({ name, type, ttl: 0, data }));
  };
}
