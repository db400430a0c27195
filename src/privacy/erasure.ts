export type Wait = { what: 'order' | 'alert' | 'event'; id: string };
export type Kept = { what: 'audit' | 'order_id' | 'archive' | 'spent_id' | 'place'; id: string };

/** The result so far, with ids only. */
export type Report = {
  erased: Record<string, number>;
  /** Undecided or not yet reported rows, which are erased as soon as possible. */
  waits: Wait[];
  /** The rows that stay: audit entries, whose hashes form a chain, ids that the shop chose, and other columns with a value. */
  kept: Kept[];
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
