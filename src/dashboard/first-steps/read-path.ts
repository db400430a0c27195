import { listExtraAddresses } from '../../alerts/addresses/queries/addresses.ts';
import { canConfirm, openBanks, printedDigits } from '../../alerts/banks/bank-support.ts';
import { mailboxState } from '../../alerts/mailboxes/mailbox-state.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Texts } from '../../texts/languages.ts';
import { badge } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { state } from '../frame/rows.ts';
import { readForwarding } from '../mailbox/forwarding-card.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { selectPaid, selectProofAlerts, selectProofOrder } from './queries.ts';
import { alertsReachUs } from './ways-step.ts';

/** A new business's steps. The bank is first, because without its mails the rest would be useless. */
export const pathSteps = ['bank', 'mails', 'account', 'ways', 'proof', 'payment'] as const;
export type PathStep = (typeof pathSteps)[number];
export type Path = Awaited<ReturnType<typeof readPath>>;

export async function readPath(world: World, visit: Visit) {
  const { merchantId, now, query } = visit;
  const [accounts, mailbox, forwarding, extra, proof, paid] = await Promise.all([
    selectAccounts(world.sql, merchantId),
    mailboxState(world.sql, merchantId, now),
    readForwarding(world, visit),
    listExtraAddresses(world.sql, merchantId),
    selectProofOrder(world.sql, merchantId, now),
    selectPaid(world.sql, merchantId),
  ]);
  const since = proof?.created_at ?? now;
  const alerts = await selectProofAlerts(world.sql, merchantId, since, proof?.alert_id ?? null);
  const banks = openBanks(world);
  const main = accounts.find(account => account.is_default);
  const proven = alerts.find(alert => alert.signing_domain !== null)?.bank;
  const seen = banks.find(bank => bank.id === proven) ?? null;
  const own = banks.find(bank => bank.id === main?.bank) ?? null;
  const chosen = banks.find(bank => bank.id === query.text('bank')) ?? own ?? seen;
  const lacksDigits = main?.account_digits === null && own !== null && printedDigits(own) > 0;
  const unread = own !== null && !canConfirm(own) ? own : null;
  const ways = { mailbox, forwarding, extra };
  const done: Record<PathStep, boolean> = {
    bank: chosen !== null && canConfirm(chosen),
    mails: seen !== null || paid.any || query.text('mails') === 'yes',
    account: main !== undefined && main.bank !== null && !lacksDigits && !unread,
    ways: alertsReachUs(ways),
    proof: paid.any,
    payment: paid.byCustomer,
  };
  // A business with a UPI account has already answered the first two questions.
  const isPassed = (step: PathStep) => done[step] || (main !== undefined && ['bank', 'mails'].includes(step));
  const current = pathSteps.find(step => !isPassed(step)) ?? null;
  return {
    accounts,
    main,
    ways,
    proof,
    paid,
    alerts,
    banks,
    seen,
    chosen,
    lacksDigits,
    unread,
    done,
    current,
  };
}

/** Done, next, later, or passed although we did not see it. */
export function stateOf({ firstSteps: words }: Texts, { done, current }: Path, step: PathStep): Html {
  if (done[step]) return state(words.done, 'good');
  if (step === current) return state(words.now, 'warn');
  const isPassed = current === null || pathSteps.indexOf(step) < pathSteps.indexOf(current);
  return state(isPassed ? words.waiting : words.open, 'quiet', { open: true });
}

export type CheckState = 'done' | 'waiting' | 'failed';

/** A check that a mail passes on its way to an order. `name` says in a word whether it has. */
export function checkLine(
  { firstSteps: { gates } }: Texts,
  gate: keyof Texts['firstSteps']['gates'],
  state: CheckState,
  name: string,
  text: string,
): Html {
  const tone = { done: 'good', waiting: 'quiet', failed: 'bad' } as const;
  return html`<li class="check ${state}">${badge(name, tone[state])} <span><strong>${gates[gate]}</strong>${text && html`<br><span class="quiet">${text}</span>`}</span></li>`;
}
