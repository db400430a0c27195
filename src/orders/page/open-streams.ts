import type { ServerResponse } from 'node:http';
import { minute, second, stopwatch } from '../../base/clock.ts';
import type { OrderNews } from '../order-news.ts';

/** Streams open at once in this process, and from one network. A mobile carrier's address has many customers. */
const mostOpen = 5000;
const mostOfNetwork = 100;
/** Proxies cut an idle connection, and only writing shows that a page is closed. */
const beatEvery = 20 * second;
/** Longer than an order can be paid. */
const longest = 20 * minute;
/** Unread bytes, a few beats. A reader with more is gone, whatever its connection says. */
const mostUnread = 256;

type Stream = { token: string; network: string; response: ServerResponse; age: () => number };

/**
 * Server-sent events for open pages. They only say "look now", and the page then asks as usual. They carry no facts,
 * so nothing here can be stale or wrong.
 */
export function openStreams(news: OrderNews) {
  const byToken = new Map<string, Set<Stream>>();
  const ofNetwork = new Map<string, number>();
  let count = 0;
  const unfollow = news.follow(token => notify(token));
  const beating = setInterval(beat, beatEvery).unref();

  /** False if too many streams are open or the reader has gone. The page then goes on polling. */
  function open(token: string, network: string, response: ServerResponse): boolean {
    // The reader left during the order's lookup and no event follows, so it would be counted for ever.
    if (response.destroyed) return false;
    const others = ofNetwork.get(network) ?? 0;
    if (!news.isHearing() || count >= mostOpen || others >= mostOfNetwork) return false;
    const stream: Stream = { token, network, response, age: stopwatch() };
    count++;
    ofNetwork.set(network, others + 1);
    const readers = byToken.get(token) ?? new Set();
    byToken.set(token, readers.add(stream));
    response.once('close', () => forget(stream));
    // The connection ends with the stream. Kept alive for another request, it would keep the process from stopping.
    response.shouldKeepAlive = false;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    response.write(': open\n\n');
    return true;
  }

  function forget(stream: Stream): void {
    const readers = byToken.get(stream.token);
    if (!readers?.delete(stream)) return;
    count--;
    if (readers.size === 0) byToken.delete(stream.token);
    const others = (ofNetwork.get(stream.network) ?? 1) - 1;
    if (others === 0) ofNetwork.delete(stream.network);
    else ofNetwork.set(stream.network, others);
  }

  function* all(): Generator<Stream> {
    for (const readers of byToken.values()) yield* readers;
  }

  /** Makes the readers of one order, or of all, look again. */
  function notify(token: string | null): void {
    for (const { response } of token === null ? all() : (byToken.get(token) ?? []))
      response.write('data: look\n\n');
  }

  function beat(): void {
    for (const stream of [...all()]) {
      const isOver = stream.age() >= longest || stream.response.writableLength > mostUnread;
      if (isOver) stream.response.destroy();
      else stream.response.write(':\n\n');
    }
  }

  return {
    open,
    notify,
    count: () => count,
    close() {
      unfollow();
      clearInterval(beating);
      for (const { response } of [...all()]) response.end();
    },
  };
}
