import { hour, second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { type Posted, parseEndpoint, postOnce } from '../post.ts';
import { failedStatus, reasonOfFailure, TimedOut } from '../webhooks/reason-of-failure.ts';
import { type ChatWords, fillTemplate } from './fill-template.ts';

/** Where a chat's messages go and how they look. Whoever knows the address can write there: it is sealed. */
export type ChatTarget = { url: string; template: string };

/** `refused`: nothing sent there will ever arrive, until a person has looked. */
export type ChatOutcome =
  | { outcome: 'sent' }
  | { outcome: 'paused'; pause: number }
  | { outcome: 'failed' | 'refused'; reason: Reason };

/** As long as the texts say. */
const sendLimit = 15 * second;
const usualPause = 30 * second;
const longestPause = 1 * hour;
/** Answers that ask to come again: too slow, too early. */
const comeAgain = [408, 425];
/** Lark answers 200 to what it refuses, with such a code in its answer. */
const leastErrorCode = 10_000;

/** One message to one chat, by the rules of webhooks: its address is judged again at every send. */
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
