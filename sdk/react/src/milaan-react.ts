export { MilaanPayment, type MilaanPaymentProps } from './milaan-payment.ts';
export type { MilaanOrder, OrderProblem, OrderStatus } from './order.ts';
export { type FollowedOrder, type UseMilaanOrderOptions, useMilaanOrder } from './use-milaan-order.ts';
