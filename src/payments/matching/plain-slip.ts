import type { Paise } from '../../base/money.ts';

/** How a customer's sum came to differ from the one that was asked for, the likeliest first. */
export type SlipKind = 'base' | 'rounded' | 'swapped' | 'wrong_digit';

/**
 * Whether somebody who means this order would pay this sum by mistake: the amount without its offset, whole rupees, the
 * two paise digits swapped, or one of them wrong. Null for the exact sum, which is no slip, and for any other.
 */
export function plainSlip(
  received: Paise,
  order: { amount_paise: Paise; payable_paise: Paise },
): SlipKind | null {
  const { amount_paise: amount, payable_paise: payable } = order;
  if (received === payable) return null;
  if (received === amount) return 'base';
  if (received === payable - (payable % 100) || received === Math.round(payable / 100) * 100)
    return 'rounded';
  if (Math.floor(received / 100) !== Math.floor(payable / 100)) return null;
  const [asked, paid] = [digitsOf(payable), digitsOf(received)];
  if (asked.tens === paid.units && asked.units === paid.tens) return 'swapped';
  return asked.tens === paid.tens || asked.units === paid.units ? 'wrong_digit' : null;
}

function digitsOf(sum: Paise): { tens: number; units: number } {
  return { tens: Math.floor((sum % 100) / 10), units: sum % 10 };
}
