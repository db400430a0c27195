import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { second, stopwatch, systemClock } from '../../base/clock.ts';
import { StartError } from '../../base/start-error.ts';
import { writeOwnFile } from '../../base/write-own-file.ts';
import { newWebhookSecret, signWith } from '../../outbox/webhooks/sign-webhook.ts';
import type { Command } from '../command.ts';
import { openService, type Service, Unreachable } from './open-service.ts';

const pause = 1 * second;

export const listenCommand: Command = {
  needs: 'environment',
  summary: "forward a sandbox's events to a program on this machine; of a live business, test events only",
  options: {
    'forward-to': { meaning: 'the program, such as http://localhost:3000/webhooks/upi', required: true },
    url: { meaning: 'the installation, with its key in MILAAN_API_KEY; else the sandbox in .milaan' },
    once: { meaning: 'forward new events once: exit code 0, or 2 if one side cannot be reached', flag: true },
    json: { meaning: 'one JSON object per line', flag: true },
  },
  async run(options, env) {
    const forwardTo = URL.parse(options['forward-to'] ?? '');
    if (!forwardTo || !/^https?:$/.test(forwardTo.protocol))
      throw new StartError('--forward-to must be an address such as http://localhost:3000/webhooks/upi');
    const service = openService(options['url'], env);
    const book = openBook(service, forwardTo.href);
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => stop.abort(signal));
    const say = (line: string, facts: object) =>
      console.log(options['json'] === undefined ? line : JSON.stringify(facts));
    const { secret } = book;
    say(`forwarding to ${forwardTo.href}, signed with ${secret}`, { forward_to: forwardTo.href, secret });
    let waitingFor: string | null = '';
    while (!stop.signal.aborted) {
      try {
        await forwardEvents(service, book, forwardTo.href, one => {
          say(inWords(one), one);
          if (one.status === 400 && options['json'] === undefined)
            console.log('          400 mostly means a wrong secret: verify with the secret above');
        });
        if (waitingFor !== null) say('listening', { listening: true });
        waitingFor = null;
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        if (error.message !== waitingFor) say(`waiting: ${error.message}`, { waiting: error.message });
        waitingFor = error.message;
      }
      if (options['once'] !== undefined) return waitingFor === null ? 0 : 2;
      await sleep(pause, null, stop).catch(() => {});
    }
    return 0;
  },
};

function inWords({ type, event_id, order_id, status, ms }: Forwarded): string {
  const time = systemClock.now().toTimeString().slice(0, 8);
  return `${time}  ${type.padEnd(16)} ${order_id ?? ''} ${event_id}  ${status} in ${ms} ms`;
}

const forwardLimit = 30 * second;
const mostRemembered = 20_000;

type Event = { event_id: string; type: string; order_id: string | null; body: string };
type Page = { only: string | null; data: Event[]; has_more: boolean };
type Forwarded = Omit<Event, 'body'> & { status: number; ms: number };

/** The ids forwarded to one address and its signing secret, stored so that a later start continues. */
type Book = { path: string; secret: string; forwarded: string[] | null };

function openBook({ dataDir, find }: Service, forwardTo: string): Book {
  const whose = createHash('sha256').update(`${find().api_key}\n${forwardTo}`).digest('hex').slice(0, 16);
  const path = join(dataDir, `listen-${whose}.json`);
  try {
    return { ...(JSON.parse(readFileSync(path, 'utf8')) as Book), path };
  } catch {
    return { path, secret: newWebhookSecret(), forwarded: null };
  }
}

/** An event counts as forwarded after any answer; a crash sends it again. Throws `Unreachable` if one is down. */
async function forwardEvents(
  service: Service,
  book: Book,
  forwardTo: string,
  report: (forwarded: Forwarded) => void,
): Promise<void> {
  for (const { body, ...event } of await newEvents(service, book)) {
    const elapsed = stopwatch();
    const headers = signWith([book.secret], { eventId: event.event_id, body, now: systemClock.now() });
    const answer = await fetch(forwardTo, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Milaan-Webhooks/1', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(forwardLimit),
    }).catch(error => {
      throw new Unreachable(
        `${forwardTo} cannot be reached (${(error.cause ?? error).code ?? error.message})`,
      );
    });
    void answer.body?.cancel();
    remember(book, [event.event_id]);
    report({ ...event, status: answer.status, ms: Math.round(elapsed()) });
  }
}

/** Finds events by id: transactions may commit late, and a sandbox's clock can be set. The first start skips all. */
async function newEvents(service: Service, book: Book): Promise<Event[]> {
  const known = new Set(book.forwarded);
  const found: Event[] = [];
  for (let before = ''; ; before = `?before=${found.at(-1)?.event_id}`) {
    const page = await service.ask<Page>(`/listen/events${before}`);
    const ids = page.data.map(event => event.event_id);
    if (book.forwarded === null) {
      remember(book, ids);
      return [];
    }
    found.push(...page.data);
    if (!page.has_more || ids.some(id => known.has(id))) break;
  }
  return found.filter(event => !known.has(event.event_id)).reverse();
}

function remember(book: Book, ids: string[]): void {
  book.forwarded = [...(book.forwarded ?? []), ...ids].slice(-mostRemembered);
  writeOwnFile(book.path, JSON.stringify({ secret: book.secret, forwarded: book.forwarded }));
}
