export type Wait = { what: 'order' | 'alert' | 'event'; id: string };
export type Kept = { what: 'audit' | 'order_id' | 'archive' | 'spent_id' | 'place'; id: string };

/** What became of it so far, by ids alone. */
export type Report = {
  erased: Record<string, number>;
  /** Not decided yet, or still to be told: erased as soon as it is. */
  waits: Wait[];
  /** What stays: rows of the audit log, whose hashes hold each other, ids that the shop chose, and other columns with a value. */
  kept: Kept[];
  /** Why nothing can be erased now. */
  problem?: 'no_list' | 'other_key' | 'older_process' | 'lost_values' | 'failed';
};

export type Erasure = {
  merchant_id: number;
  erasure_id: string;
  asked_at: Date;
  asked_by: string;
  marks: string[];
  sealed: string | null;
  watch_until: Date;
  next_at: Date | null;
  erased_at: Date | null;
  done_at: Date | null;
  report: Partial<Report>;
};

export const erasureBinding = (merchantId: number, erasureId: string) =>
  `merchant:${merchantId}:erasure:${erasureId}`;
