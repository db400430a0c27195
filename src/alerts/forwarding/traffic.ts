import type { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { minute } from '../../base/clock.ts';
import { type CountCalls, openCountCalls } from '../../base/http/count-calls.ts';
import { takeTurns } from '../../base/http/take-turns.ts';
import { mostMailBytes } from '../mail/limits.ts';

/** Connections at once: in all, from one network and from one address. Each costs some kilobytes. */
const mostConnections = 400;
export const mostOfNetwork = 40;
export const mostOfAddress = 20;

/** Mails per minute. A large provider sends for many shops at once; a shop with more alerts gets them later. */
const mailsOfNetwork = 3_000;
const mailsOfAddress = 1_500;
export const mailsOfRecipient = 600;
const connectionsOfAddress = 600;
const mostRemembered = 20_000;

export type Traffic = ReturnType<typeof openTraffic>;

/**
 * Counts open connections and recent mails. Anything above a limit is refused for now, never permanently. If `rates`
 * is false, only connections count. An address is null behind the operator's own mail server.
 */
export function openTraffic({ rates }: { rates: boolean }) {
  const present = new Map<string, string[]>();
  const counts = new Map<string, number>();
  const perMinute = (limit: number): CountCalls =>
    rates ? openCountCalls(limit, 1 * minute, mostRemembered) : () => null;
  const connecting = perMinute(connectionsOfAddress);
  const ofAddress = perMinute(mailsOfAddress);
  const ofNetwork = perMinute(mailsOfNetwork);
  const ofRecipient = perMinute(mailsOfRecipient);
  const count = (key: string) => counts.get(key) ?? 0;
  return {
    /** Whether one more connection is allowed; if so it counts until it leaves. */
    enter(id: string, address: string | null): boolean {
      if (present.has(id)) return true;
      const keys = address === null ? [] : [`address ${address}`, `network ${mailNetworkOf(address)}`];
      const isFull = keys.some((key, at) => count(key) >= (at === 0 ? mostOfAddress : mostOfNetwork));
      if (present.size >= mostConnections || isFull) return false;
      if (address !== null && connecting(address) !== null) return false;
      present.set(id, keys);
      for (const key of keys) counts.set(key, count(key) + 1);
      return true;
    },
    leave(id: string): void {
      for (const key of present.get(id) ?? []) {
        if (count(key) > 1) counts.set(key, count(key) - 1);
        else counts.delete(key);
      }
      present.delete(id);
    },
    mayMail(address: string | null, recipients: readonly string[]): boolean {
      const waits = [
        ...(address === null ? [] : [ofAddress(address), ofNetwork(mailNetworkOf(address))]),
        ...recipients.map(ofRecipient),
      ];
      return waits.every(wait => wait === null);
    },
    connections: () => present.size,
  };
}

/** A provider's mail servers are in one network: a /24, or a /48 of IPv6. */
export function mailNetworkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? parsed.parts.slice(0, 3).join(':')
    : parsed.octets.slice(0, 3).join('.');
}

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
    inTurn: takeTurns({ atOnce: storing }),
  };
}

/** Reads a mail to its end in any case, because a sender ignores an answer before that. Keeps nothing of an unwanted one. */
export async function readMail(
  stream: Readable,
  hands: OpenHands,
  isWanted: boolean,
  whose: string,
): Promise<{ raw: Buffer; release(): void } | 'too_large' | 'busy'> {
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
