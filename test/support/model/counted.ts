import type { ModelMail } from './order-and-mail.ts';

/** R2: which mail each signature and each reference counts for. */
export class Counted {
  readonly #signatures = new Map<string, ModelMail>();
  readonly #references = new Map<string, ModelMail>();

  add(mail: ModelMail): void {
    this.#signatures.set(mail.signature, mail);
    if (mail.reference !== null) this.#references.set(`${mail.merchant}/${mail.reference}`, mail);
  }

  /** The mail of this business that counted this reference. */
  with(merchant: number, reference: string): ModelMail | undefined {
    return this.#references.get(`${merchant}/${reference}`);
  }

  /** Whether the mail's signature was not taken for another business's order since. */
  holds(mail: ModelMail): boolean {
    return this.#signatures.get(mail.signature) === mail;
  }

  /** Whether the mail's signature still counts for it. */
  isFor(mail: ModelMail): boolean {
    return this.#givesWay(mail) && !this.#isSettledElsewhere(mail);
  }

  /**
   * A signature counts once in the whole installation; only where it met nobody may its copy in another business's
   * mailbox still find its order. A reference counts once per business. Neither a duplicate nor foreign money counts.
   */
  isDuplicate(mail: ModelMail): boolean {
    if (!this.#givesWay(mail)) return true;
    const { merchant, reference } = mail;
    if (reference !== null && (this.with(merchant, reference) ?? mail) !== mail) return true;
    return this.#isSettledElsewhere(mail);
  }

  /** Its signature counts for it, or for what only waits in another business. */
  #givesWay(mail: ModelMail): boolean {
    const counted = this.#signatures.get(mail.signature) ?? mail;
    return counted === mail || (counted.merchant !== mail.merchant && !isSettled(counted));
  }

  /** One account's reference counts in one business, once it paid there or a person decided about it. */
  #isSettledElsewhere({ merchant, reference, digits, ownBank }: ModelMail): boolean {
    return [...this.#references.values()].some(
      other =>
        other.merchant !== merchant &&
        other.reference === reference &&
        other.digits === digits &&
        other.ownBank === ownBank &&
        isSettled(other),
    );
  }
}

/** A payment settles it, or a person's decision; what the program attached by itself has settled nothing. */
export function isSettled({ verdict, handled, foundBy }: ModelMail): boolean {
  if (verdict === 'paid') return true;
  return handled !== null && handled !== 'open' && (handled !== 'attached' || foundBy === 'person');
}
