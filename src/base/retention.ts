import { day } from './durations.ts';

/** Days, or: `window`, the plan's history; `business`, until it is deleted; `operator`, as the operator decides. */
type Retention = number | 'window' | 'business' | 'operator';

type Kept = {
  days: Retention;
  /** The worker that deletes it, the program that reads mailboxes, or the operator. */
  by: 'history' | 'accounts' | 'mail' | 'web' | 'operator';
  /** An owner may choose fewer days, but not fewer than this: undecided cases may need the data until then. */
  floor?: number;
};

/**
 * The one table of what is kept and for how long. All deletion by age uses it, the owners' page shows it with the words
 * of `texts/…/privacy.ts`, and a test compares docs/privacy.md with it. Claims and webhook bodies must outlive every
 * retry and late credit (a few days). A mail must outlive the day in which its check is repeated, and the shortest
 * plan. It must also outlive the 48 hours for which a mailbox is read again.
 */
export const whatIsKept = {
  orders: { days: 'window', by: 'history' },
  archives: { days: 'business', by: 'history', floor: 365 },
  raw_mails: { days: 'window', by: 'history', floor: 21 },
  claims: { days: 'window', by: 'history', floor: 7 },
  webhook_bodies: { days: 'window', by: 'history', floor: 7 },
  notices: { days: 'window', by: 'history' },
  page_reports: { days: 'window', by: 'history' },
  operator_notes: { days: 'business', by: 'accounts' },
  payments: { days: 'business', by: 'accounts' },
  order_ids: { days: 365, by: 'history' },
  audit: { days: 'business', by: 'accounts' },
  key_reads: { days: 400, by: 'accounts' },
  sent_mails: { days: 30, by: 'accounts' },
  sessions: { days: 30, by: 'accounts' },
  places: { days: 4, by: 'mail' },
  figures: { days: 14, by: 'web' },
  business: { days: 7, by: 'accounts' },
  backups: { days: 'operator', by: 'operator' },
  logs: { days: 'operator', by: 'operator' },
} as const satisfies Record<string, Kept>;

export type KeptKind = keyof typeof whatIsKept;

/** Hidden data is deleted no earlier than this, so that a larger plan can bring it back. */
export const hiddenDays = 14;

type Timed = {
  [Kind in KeptKind]: (typeof whatIsKept)[Kind]['days'] extends number ? Kind : never;
}[KeptKind];

/** Returns milliseconds. */
export function keptFor(kind: Timed): number {
  return whatIsKept[kind].days * day;
}

/** The kinds that an owner may have deleted earlier. */
export const chosenKinds = ['raw_mails', 'claims', 'webhook_bodies', 'archives'] as const;
export type ChosenKind = (typeof chosenKinds)[number];

/** In days. No data of a kind is kept beyond its ceiling, whatever the owner chose. */
export type KeepBounds = Record<ChosenKind, { floor: number; ceiling: number | null }>;
export type KeepDays = { [Kind in ChosenKind]?: number };

export const mostKeepDays = 36_500;

/** Days after which kinds are deleted before their order or business; other kinds are left out. */
export function earlyDays(bounds: KeepBounds, chosen: KeepDays): KeepDays {
  return Object.fromEntries(
    chosenKinds.flatMap(kind => {
      const { floor, ceiling } = bounds[kind];
      const days = chosen[kind] ?? ceiling;
      return days === null ? [] : [[kind, Math.max(floor, Math.min(days, ceiling ?? days))]];
    }),
  );
}
