import type { Template } from './bank.ts';

/**
 * Whether every mail of this wording names the payer's UPI ID. Where a bank leaves it out at times, what stands in its
 * place can be a name or a remark that the payer made look like one.
 */
export function printsPayerId({ body }: Pick<Template, 'body'>): boolean {
  return body.every(parts => parts.some(part => part.kind === 'payer' && part.slot === 'payer_vpa'));
}
