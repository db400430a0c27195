import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A minimal shop server in its own process: reads the body, answers 200. On request it reports how many requests came
 * since the last report, and when the first did (epoch milliseconds).
 */
export type Heard = { count: number; firstAt: number };

let heard: Heard = { count: 0, firstAt: 0 };
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (heard.count++ === 0) heard.firstAt = performance.timeOrigin + performance.now();
    response.end('ok');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => {
  process.send?.(heard);
  heard = { count: 0, firstAt: 0 };
});
process.on('disconnect', () => process.exit());
