import { deleteOldEvents, deleteOldMails, deleteOldNotices } from './queries/leaving.ts';
import type { Step } from './step.ts';

/** What was told about an order leaves with the order: events hold the customer's name and address. */
export const forgetEvents: Step = (tx, _world, { merchantId, leavesBefore: upTo, leavesAlone }, limit) =>
  deleteOldEvents(tx, merchantId, { upTo, limit, leavesAlone });

/** Raw mails are kept for the history window; after it only the facts read from them. */
export const forgetMails: Step = async (
  tx,
  _world,
  { merchantId, leavesBefore: upTo, leavesAlone },
  limit,
) => (leavesAlone ? await deleteOldMails(tx, merchantId, { upTo, limit }) : 0);

/** What the owner was told leaves with what it was about. */
export const forgetNotices: Step = (tx, _world, { merchantId, leavesBefore: upTo }, limit) =>
  deleteOldNotices(tx, merchantId, { upTo, limit });
