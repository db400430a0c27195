import type { SecureContext } from 'node:tls';
import { later } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import type { WorkerSlots } from '../judging/start-judging.ts';
import type { MailboxMetrics } from './metrics.ts';
import type { Connection } from './open-connection.ts';
import type { Pace } from './pace.ts';
import type { Held } from './queries/leases.ts';
import type { Ledger } from './queries/positions.ts';
import type { WatchedMailbox } from './queries/settings.ts';

/** The functions of later steps: which senders are banks, and who judges their mails. */
export type Tools = {
  isBankSender(address: string): boolean;
  /** Null if this process does not judge mails. */
  workerSlots?: WorkerSlots | null;
  /** The sender of our own mails, whose codes confirm extra addresses; null if we send none. */
  ownSender: string | null;
  pace: Pace;
  roots: SecureContext;
  ledger: Ledger;
  /** Token endpoints, if they are not the providers' own. */
  tokenUrls?: Partial<Record<'gmail' | 'outlook', string>>;
  /** Runs between any two steps that a crash could separate; a drill stops here. */
  step?: (name: Step) => Promise<void>;
};

export type Step =
  | 'connected'
  | 'listed'
  | 'examined'
  | 'searched'
  | 'senders fetched'
  | 'mails fetched'
  | 'mails stored, not committed'
  | 'mails committed'
  | 'position moved'
  | 'polled';

export type WatchWorld = Pick<World, 'sql' | 'clock' | 'dns' | 'config' | 'log' | 'secrets' | 'metrics'>;

export type Watch = {
  world: WatchWorld;
  tools: Tools;
  metrics: MailboxMetrics;
  mailbox: WatchedMailbox;
  held: Held;
  memories: Map<string, FolderMemory>;
};

export type Job = Watch & { connection: Connection };

/** A watcher's memory of a folder between polls. Losing it means fetching headers again, never losing a mail. */
export type FolderMemory = {
  folder: string;
  uidvalidity: number;
  /** Mails whose sender was checked; those from banks are stored. */
  seen: UidSet;
  /** Mails that the server lists but does not deliver, and how often they were asked for. */
  holes: Map<number, number>;
  /** How many mails are asked for at once: fewer after a failure, so that one bad mail is found and skipped. */
  batch: number;
  stuck: { uid: number; times: number };
  /** The last mail that the server named when there was nothing new. */
  last: number;
  /** The fingerprints of the last mails read (`rememberLast`), and when they were last checked. */
  lastMails: readonly string[];
  looked: { connection: Connection; uidNext: number; lastMails: readonly string[] } | null;
  comparedAt: Date | null;
  /** The unread rest of a scan, in ascending order; null before the first search. */
  rest: number[] | null;
};

export function newFolderMemory(folder: string, uidvalidity: number, batch: number): FolderMemory {
  return {
    folder,
    uidvalidity,
    seen: new UidSet(),
    holes: new Map(),
    batch,
    stuck: { uid: 0, times: 0 },
    last: 0,
    lastMails: [],
    looked: null,
    comparedAt: null,
    rest: null,
  };
}

export function hasRest(memory: FolderMemory | undefined): boolean {
  return (memory?.rest?.length ?? 0) > 0;
}

/** Also true if our clock went back before the last comparison. */
export function isComparisonDue({ comparedAt }: FolderMemory, now: Date, { compare }: Pace): boolean {
  return comparedAt === null || now < comparedAt || now >= later(comparedAt, compare);
}

export async function atStep(job: Job, name: Step): Promise<void> {
  await job.tools.step?.(name);
}

/** A set of UIDs kept as ranges: two hundred thousand consecutive mails need two numbers. */
export class UidSet {
  #ranges: Array<[first: number, last: number]> = [];

  has(uid: number): boolean {
    const range = this.#ranges[this.#place(uid)];
    return range !== undefined && range[0] <= uid;
  }

  add(uid: number): void {
    const place = this.#place(uid);
    const here = this.#ranges[place];
    if (here !== undefined && here[0] <= uid) return;
    const before = this.#ranges[place - 1];
    const touchesBefore = before !== undefined && before[1] === uid - 1;
    const touchesHere = here !== undefined && here[0] === uid + 1;
    if (touchesBefore && touchesHere) {
      before[1] = here[1];
      this.#ranges.splice(place, 1);
    } else if (touchesBefore) before[1] = uid;
    else if (touchesHere) here[0] = uid;
    else this.#ranges.splice(place, 0, [uid, uid]);
  }

  /** Forgets everything below `uid`: mails older than the compared span are never asked for again. */
  forgetBelow(uid: number): void {
    this.#ranges = this.#ranges.filter(range => range[1] >= uid);
  }

  get ranges(): number {
    return this.#ranges.length;
  }

  /** Index of the first range that ends at or after `uid`. */
  #place(uid: number): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ranges[middle]![1] < uid) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
