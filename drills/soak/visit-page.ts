import { Agent, get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../../src/base/clock.ts';

/** The same interval as in `src/orders/page/browser/start-polling.ts`. */
const pollEvery = 2 * second;
const answerWithin = 10 * second;

/** Shared by all pages of the drill. */
export type Browsers = {
  url: string;
  /** Connections that the pages hold at this moment. */
  connections: number;
  /** Words that came over a stream. */
  notified: number;
  note(what: 'page' | 'status', milliseconds: number): void;
  fail(oddity: string): void;
};

/**
 * A payment page that a customer has open, from an address of its own. It asks for the status every two seconds. If it
 * `follows`, it also has an event stream, and asks at once after an event. Ends when the status is final or the
 * customer closes it.
 */
export async function visitPage(
  browsers: Browsers,
  {
    path,
    address,
    follows,
    closed,
  }: { path: string; address: string; follows: boolean; closed: AbortSignal },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, localAddress: address });
  const ask = (what: 'page' | 'status', place: string) => timed(browsers, what, place, agent);
  let wake = () => {};
  const stream = new AbortController();
  try {
    await ask('page', path);
    if (follows)
      void openStream(browsers, `${path}/events`, address, stream.signal, () => wake()).catch(error => {
        if (!stream.signal.aborted) browsers.fail(`a stream of ${path} broke: ${error}`);
      });
    while (!closed.aborted) {
      await Promise.race([
        sleep(pollEvery, undefined, { signal: closed }).catch(() => {}),
        new Promise<void>(resolve => (wake = resolve)),
      ]);
      if (closed.aborted) return;
      const { status } = JSON.parse(await ask('status', `${path}/status`)) as { status: string };
      if (status === 'paid' || status === 'failed' || status === 'expired') return;
    }
  } catch (error) {
    browsers.fail(`a page of ${path} failed: ${error}`);
  } finally {
    stream.abort();
    agent.destroy();
  }
}

async function timed(
  browsers: Browsers,
  what: 'page' | 'status',
  path: string,
  agent: Agent,
): Promise<string> {
  const began = performance.now();
  const answer = await open(browsers, path, { agent, signal: AbortSignal.timeout(answerWithin) });
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  browsers.note(what, performance.now() - began);
  if (answer.statusCode !== 200) throw new Error(`${path} was answered with ${answer.statusCode}: ${body}`);
  return body;
}

/** Never ends by itself, unless the program ends it; `isCounted` false: one that nobody knows of. */
export async function openStream(
  browsers: Browsers,
  path: string,
  localAddress: string,
  signal: AbortSignal,
  notify: () => void,
  isCounted = true,
): Promise<void> {
  const answer = await open(browsers, path, { agent: false, localAddress, signal }, isCounted);
  if (answer.statusCode === 204) return;
  if (answer.statusCode !== 200) throw new Error(`answered with ${answer.statusCode}`);
  for await (const chunk of answer.setEncoding('utf8')) {
    if (!String(chunk).includes('data: look')) continue;
    browsers.notified++;
    notify();
  }
}

type Opening = { agent: Agent | false; localAddress?: string; signal: AbortSignal };

const counted = new WeakSet<Socket>();

function open(
  browsers: Browsers,
  path: string,
  options: Opening,
  isCounted = true,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(`${browsers.url}${path}`, options, resolve);
    request.once('error', reject);
    request.once('socket', socket => {
      if (!isCounted || counted.has(socket)) return;
      counted.add(socket);
      browsers.connections++;
      socket.once('close', () => browsers.connections--);
    });
  });
}
