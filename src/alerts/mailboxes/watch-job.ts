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
  /** Mails of the last days whose sender was checked; those from banks are stored. */
  seen: Set<number>;
  /** Mails that the server lists but does not deliver, and how often they were asked for. */
  holes: Map<number, number>;
  /** How many mails are asked for at once: fewer after a failure, so that one bad mail is found and skipped. */
  batch: number;
  stuck: { uid: number; times: number };
  /** The last mail that the server named when there was nothing new. */
  last: number;
  /** The fingerprints of the last mails read (`rememberLast`), and when they were last checked. */
  lastMails: readonly string[];
  lastCheck: { connection: Connection; uidNext: number; lastMails: readonly string[] } | null;
  comparedAt: Date | null;
  /** The unread rest of a scan, in ascending order; null before the first search. */
  rest: number[] | null;
};

export function newFolderMemory(folder: string, uidvalidity: number, batch: number): FolderMemory {
  return {
    folder,
    uidvalidity,
    seen: new Set(),
    holes: new Map(),
    batch,
    stuck: { uid: 0, times: 0 },
    last: 0,
    lastMails: [],
    lastCheck: null,
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
