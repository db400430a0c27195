import type { ModelMail, ModelOrder } from './order-and-mail.ts';

const paymentsOfATrial = 3;

/** How far a bank's word goes: a wording on trial three times not at all, and an owner's ceiling. */
export class Trust {
  /** For each business and account: the sum above which its owner checks payments. */
  readonly ceilings = new Map<string, number>();
  /** For each business: payments in the trial wording that somebody found in the account. */
  readonly #found = new Map<number, number>();

  found(merchant: number): number {
    return this.#found.get(merchant) ?? 0;
  }

  /** Somebody found what waited in the account. */
  find({ merchant, onTrial }: ModelMail): void {
    if (onTrial) this.#found.set(merchant, this.found(merchant) + 1);
  }

  /** Whether a person has to find it in the account before it pays. */
  waits({ merchant, onTrial, amount }: ModelMail, { account }: Pick<ModelOrder, 'account'>): boolean {
    if (onTrial && this.found(merchant) < paymentsOfATrial) return true;
    return amount > (this.ceilings.get(`${merchant}/${account}`) ?? Number.POSITIVE_INFINITY);
  }
}
