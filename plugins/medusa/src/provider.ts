import { MilaanPaymentProvider } from './milaan-payment-provider.ts';

export { MilaanPaymentProvider } from './milaan-payment-provider.ts';
export type { MilaanOptions } from './options.ts';

/** What `resolve: '@milaan/medusa'` in medusa-config finds: a provider of the payment module. */
export default { module: 'payment', services: [MilaanPaymentProvider] };
