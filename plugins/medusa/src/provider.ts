import { MilaanPaymentProvider } from './milaan-payment-provider.ts';

export { MilaanPaymentProvider } from './milaan-payment-provider.ts';
export type { MilaanOptions } from './options.ts';

/** The target of `resolve: '@milaan/medusa'` in medusa-config: a provider for the payment module. */
export default { module: 'payment', services: [MilaanPaymentProvider] };
