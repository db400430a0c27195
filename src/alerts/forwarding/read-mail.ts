import type { Readable } from 'node:stream';
import { mostMailBytes } from '../mail/limits.ts';

const MiB = 1024 * 1024;
/** Bytes of mails being received or stored, over all connections. Above it, senders are asked to come back. */
const mostBytesInHand = 64 * MiB;
/** The share of one forwarding address, so that large mails sent slowly to it do not block others. */
const mostBytesOfRecipient = 8 * MiB;
/** Mails stored at once. More would only wait inside the database. */
const mostStoring = 8;

export type OpenHands = ReturnType<typeof openHands>;

/** Limits the bytes that all connections of a process hold, and how many mails are stored at once. */
export function openHands(most = mostBytesInHand, storing = mostStoring) {
  let held = 0;
  const shares = new Map<string, number>();
  const shareOf = (whose: string) => shares.get(whose) ?? 0;
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    /** Reserves memory for these bytes. False if none is left, or if the recipient's share is used up. */
    take(bytes: number, whose: string): boolean {
      if (held + bytes > most || shareOf(whose) + bytes > mostBytesOfRecipient) return false;
      held += bytes;
      shares.set(whose, shareOf(whose) + bytes);
      return true;
    },
    give(bytes: number, whose: string): void {
      held -= bytes;
      if (shareOf(whose) > bytes) shares.set(whose, shareOf(whose) - bytes);
      else shares.delete(whose);
    },
    async inTurn<T>(work: () => Promise<T>): Promise<T> {
      if (running >= storing) await new Promise<void>(resolve => waiting.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}

export type ReadMail = { raw: Buffer; release(): void } | 'too_large' | 'busy';

/** Reads a mail to its end in any case, because a sender ignores an answer before that. */
export async function readMail(
  stream: Readable,
  hands: OpenHands,
  isWanted: boolean,
  whose: string,
): Promise<ReadMail> {
  let parts: Buffer[] = [];
  let size = 0;
  let failure: 'too_large' | 'busy' | null = isWanted ? null : 'busy';
  const drop = (why: 'too_large' | 'busy') => {
    failure = why;
    hands.give(size, whose);
    parts = [];
    size = 0;
  };
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      if (failure !== null) continue;
      if (size + part.length > mostMailBytes) drop('too_large');
      else if (!hands.take(part.length, whose)) drop('busy');
      else {
        parts.push(part);
        size += part.length;
      }
    }
  } catch (error) {
    drop('busy');
    throw error;
  }
  if (failure !== null) return failure;
  return { raw: Buffer.concat(parts, size), release: () => hands.give(size, whose) };
}
