import type { RuleCheck } from '../../base/database/rule-check.ts';
import {
  type Breach,
  selectLostEvents,
  selectPaidWithoutEvent,
  selectStrangeEvents,
} from './queries/rules.ts';

/** R8 over the whole database. A unique index forbids two such events for one order; these find the rest. */
export const webhookRules: RuleCheck[] = [
  {
    rule: 'R8',
    sentence: 'every paid order has its payment.paid event',
    breaches: async sql => (await selectPaidWithoutEvent(sql)).map(inWords),
  },
  {
    rule: 'R8',
    sentence:
      'every payment.paid event belongs to a paid order, carries the derived id and tells of that order',
    breaches: async sql => (await selectStrangeEvents(sql)).map(inWords),
  },
  {
    rule: 'R8',
    sentence:
      'every event is delivered, finally failed, or has a delivery that waits or is being sent; all under its own id',
    breaches: async sql => (await selectLostEvents(sql)).map(inWords),
  },
];

function inWords({ merchant_id, id, what }: Breach): string {
  return `business ${merchant_id}, ${id}: ${what}`;
}
