/** The id of a session's nth link: the session's id, with a number from the second link on. */
export function linkId(session: string, attempt: number): string {
  return attempt === 1 ? session : `${session}.${attempt}`;
}

/** The session that a merchant_order_id names; null if it is no id of ours. */
export function sessionIn(merchantOrderId: string): string | null {
  return /^(payses_[A-Za-z0-9]+)(?:\.\d+)?$/.exec(merchantOrderId)?.[1] ?? null;
}
