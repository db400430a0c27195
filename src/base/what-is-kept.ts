import { day } from './durations.ts';

/**
 * How long: a number of days; `window`, the plan's history and what `hidden` says more; `business`, until the business
 * is deleted; `operator`, what the operator of the machine decides.
 */
type PlanPeriod = number | 'window' | 'business' | 'operator';

type Kept = {
  days: PlanPeriod;
  /** Who deletes it: the worker of that name, the program that reads mailboxes, or the operator's own means. */
  by: 'history' | 'accounts' | 'mail' | 'web' | 'operator';
  /** An owner may have it deleted earlier, but not before so many days: by then nothing that is undecided needs it. */
  floor?: number;
};

/**
 * What is kept, and for how long: the one table. Whatever deletes by age reads it, the owners' page shows it with the
 * words of `texts/…/kept.ts`, and a test holds docs/privacy.md to it.
 *
 * The floors: a claim and a webhook's body outlive every retry and every late credit (days at most); a mail the 48 hours
 * for which a mailbox is read again, the day for which its judging is tried again, and the shortest plan there is.
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

/** What a window hides is deleted this much later at the earliest: until then a plan that grows brings it back. */
export const hiddenDays = 14;

type Timed = {
  [Kind in KeptKind]: (typeof whatIsKept)[Kind]['days'] extends number ? Kind : never;
}[KeptKind];

/** In milliseconds. */
export function keptFor(kind: Timed): number {
  return whatIsKept[kind].days * day;
}

/** What an owner may have deleted earlier. */
export const chosenKinds = ['raw_mails', 'claims', 'webhook_bodies', 'archives'] as const;
export type ChosenKind = (typeof chosenKinds)[number];

/** In days. A ceiling is for everybody: nothing of that kind is kept longer, chosen or not. */
export type KeepBounds = Record<ChosenKind, { floor: number; ceiling: number | null }>;
export type KeepDays = { [Kind in ChosenKind]?: number };

/** Longer than anybody keeps books. */
export const mostKeepDays = 36_500;

/** After how many days each kind is deleted before its order or business is; nothing is said of what stays with those. */
export function earlyDays(bounds: KeepBounds, chosen: KeepDays): KeepDays {
  return Object.fromEntries(
    chosenKinds.flatMap(kind => {
      const { floor, ceiling } = bounds[kind];
      const days = chosen[kind] ?? ceiling;
      return days === null ? [] : [[kind, Math.max(floor, Math.min(days, ceiling ?? days))]];
    }),
  );
}
