import type { ApiError } from '../../base/http/api-error.ts';
import { because, type Reason } from '../../texts/verdicts.ts';

const worded = [
  'upi_not_configured',
  'payment_account_paused',
  'plan_limit_reached',
  'merchant_disabled',
  'all_payment_slots_busy',
  'service_unavailable',
] as const;

/** Why no order could be made, for the person who is signed in. */
export function whyRefused(error: ApiError): Reason {
  const code = worded.find(one => one === error.code);
  return code ? because(code) : because('quoted', { sentence: error.message });
}
