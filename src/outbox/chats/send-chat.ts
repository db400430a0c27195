import { hour, second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { type Posted, parseEndpoint, postOnce } from '../post.ts';
import { failedStatus, reasonOfFailure, TimedOut } from '../webhooks/reason-of-failure.ts';

/** The address is sealed in the database, because anybody who knows it can write to the chat. */
export type ChatTarget = { url: string; template: string };

/** `refused`: every later message would fail too, so the chat is switched off. */
export type ChatOutcome =
  | { outcome: 'sent' }
  | { outcome: 'paused'; pause: number }
  | { outcome: 'failed' | 'refused'; reason: Reason };

/** The dashboard's texts name this limit. */
const sendLimit = 15 * second;
const usualPause = 30 * second;
const longestPause = 1 * hour;
/** These answers (too slow, too early) ask for another try. */
const comeAgain = [408, 425];
/** Lark answers 200 even if it refuses; the body then has a code of at least this number. */
const leastErrorCode = 10_000;

/** Posts one message. The address is checked again at every send, as for webhooks. */
export async function sendChat(
  world: Pick<World, 'dns' | 'config'>,
  { url, template }: ChatTarget,
  words: ChatWords,
  stopping: AbortSignal,
): Promise<ChatOutcome> {
  const parsed = parseEndpoint(url, world.config);
  if (parsed === null) return { outcome: 'refused', reason: because('address_not_public') };
  const limit = AbortSignal.timeout(sendLimit);
  const headers = { 'content-type': 'application/json', 'user-agent': 'Milaan' };
  const signal = AbortSignal.any([stopping, limit]);
  try {
    return read(await postOnce(world, parsed, { headers, body: fillTemplate(template, words) }, signal));
  } catch (error) {
    if (stopping.aborted) return { outcome: 'paused', pause: 0 };
    return { outcome: 'failed', reason: reasonOfFailure(limit.aborted ? new TimedOut() : error).reason };
  }
}

function read({ statusCode: status, retryAfter, response }: Posted): ChatOutcome {
  const { code, retry_after, parameters } = objectIn(response);
  if (status === 429) {
    const asked = [retryAfter, retry_after, parameters?.retry_after].map(Number).find(pause => pause > 0);
    const pause = asked === undefined ? usualPause : Math.ceil(asked * second);
    return { outcome: 'paused', pause: Math.min(pause, longestPause) };
  }
  const reason = failedStatus(status)?.reason;
  if (reason) return { outcome: status < 500 && !comeAgain.includes(status) ? 'refused' : 'failed', reason };
  const isError = typeof code === 'number' && code >= leastErrorCode;
  return isError ? { outcome: 'failed', reason: because('answered', { status: code }) } : { outcome: 'sent' };
}

type Told = { code?: unknown; retry_after?: unknown; parameters?: { retry_after?: unknown } | null };

function objectIn(text: string): Told {
  try {
    return Object(JSON.parse(text)) as Told;
  } catch {
    return {};
  }
}

/** A template may name these. None of them contains text that a payer wrote. */
export const placeholders = ['text', 'amount', 'order', 'topic', 'business', 'link', 'time'] as const;
export type ChatWords = Record<(typeof placeholders)[number], string>;

/** In JSON a bare word never follows a brace, so this pattern matches placeholders only. */
const place = /\{(\w+)\}/g;

/** Escapes the words, because placeholders are inside JSON strings. */
export function fillTemplate(template: string, words: ChatWords): string {
  return template.replaceAll(place, (_, name: keyof ChatWords) => JSON.stringify(words[name]).slice(1, -1));
}

/** Returns null if the template gives valid JSON for any words. */
export function templateProblem(template: string): Reason | null {
  const known: readonly string[] = placeholders;
  const unknown = [...template.matchAll(place)].find(([, name = '']) => !known.includes(name));
  if (unknown) return because('template_unknown', { name: unknown[0], known: `{${known.join('} {')}}` });
  try {
    // Test with a letter: a number would also pass outside quotes, and an empty text would be refused there.
    JSON.parse(fillTemplate(template, Object.fromEntries(known.map(name => [name, 'x'])) as ChatWords));
    return null;
  } catch {
    return because('template_not_json');
  }
}
