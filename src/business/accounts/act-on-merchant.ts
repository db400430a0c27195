import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { approveMerchant, wouldLimitSeller } from '../merchants/plans.ts';
import { planExists, setDisabled, setPlan } from '../merchants/queries.ts';
import { type Actor, recordAuditInBoth } from './record-audit.ts';

export type MerchantAction =
  | { action: 'business.disable'; reason: string }
  | { action: 'business.halt_orders'; reason: string }
  | { action: 'business.enable' }
  | { action: 'business.approve' }
  | { action: 'business.plan'; plan: string };

/** `unchanged`: the business does not exist or does not wait for approval. */
export type ActionRefusal = 'wrong_reason' | 'no_such_plan' | 'limits_seller' | 'unchanged';

export const longestReason = 500;

/** Writes the change, its entry in both logs and the owner's notice, all or none. Returns why it refused. */
export async function actOnMerchant(
  { sql }: Pick<World, 'sql'>,
  operator: Actor,
  merchantId: number,
  asked: MerchantAction,
): Promise<ActionRefusal | null> {
  const reason = 'reason' in asked ? asked.reason.replaceAll(/\s+/g, ' ').trim() : '';
  if ('reason' in asked && (reason === '' || [...reason].length > longestReason)) return 'wrong_reason';
  return await sql.begin(async tx => {
    if (asked.action === 'business.plan') {
      if (!(await planExists(tx, asked.plan))) return 'no_such_plan';
      if (await wouldLimitSeller(tx, merchantId, asked.plan)) return 'limits_seller';
    }
    const { isMade, notice, details = '' } = await make(tx, operator.now, merchantId, { ...asked, reason });
    if (!isMade) return 'unchanged';
    await recordAuditInBoth(tx, operator, merchantId, { action: asked.action, details, notice });
    return null;
  });
}

async function make(
  tx: Transaction,
  now: Date,
  merchantId: number,
  asked: MerchantAction & { reason: string },
): Promise<{ isMade: boolean; notice: Reason; details?: string }> {
  const { action, reason } = asked;
  switch (action) {
    case 'business.disable':
      return {
        isMade: await setDisabled(tx, merchantId, now, { reason, onlyNewOrders: false }),
        notice: because('halted_by_operator', { reason }),
        details: reason,
      };
    case 'business.halt_orders':
      return {
        isMade: await setDisabled(tx, merchantId, now, { reason, onlyNewOrders: true }),
        notice: because('orders_halted_by_operator', { reason }),
        details: reason,
      };
    case 'business.enable':
      return {
        isMade: await setDisabled(tx, merchantId, null),
        notice: because('enabled_by_operator'),
      };
    case 'business.approve':
      return { isMade: await approveMerchant(tx, merchantId), notice: because('approved_by_operator') };
    case 'business.plan': {
      const { plan } = asked;
      return {
        isMade: await setPlan(tx, merchantId, plan),
        notice: because('plan_changed', { plan }),
        details: plan,
      };
    }
  }
}
