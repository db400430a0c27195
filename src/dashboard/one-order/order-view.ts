import type { AuditRow } from '../../business/accounts/queries/audit.ts';
import type { Order } from '../../orders/order.ts';
import type { DeliveryRow } from '../../outbox/webhooks/queries/read.ts';
import type { StatementMark } from '../../payments/statements/queries/marks.ts';
import type { ClaimedReference, CreditRow } from '../money/queries/money.ts';
import type { OrderAlert } from '../orders/queries.ts';
export type OrderView = {
  order: Order;
  alerts: readonly OrderAlert[];
  deliveries: readonly DeliveryRow[];
  /** What came for it without being its exact payment. */
  money: readonly CreditRow[];
  claims: readonly ClaimedReference[];
  /** Every step that people took with that money. */
  deeds: readonly AuditRow[];
  /** What it is for, where a person or a link made it. */
  purpose: string | null;
  mark: StatementMark | null;
  baseUrl: string;
  bankName: (id: string) => string;
};
