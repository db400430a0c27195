/**
 * What others rule about sums: shown where people act, with where it stands, and enforced by nobody here. Looked at in
 * November 2026; a rule that changes is changed here and in docs/for-owners.md.
 */
export const moneyRules = {
  lookedAt: '2026-11',
  /** The most that UPI apps send to a personal UPI ID in one payment, and in a day. */
  personalPayment: {
    paise: 1_00_000_00,
    source: 'NPCI, limit of person-to-person payments, kept by its circular of 28 August 2025',
  },
  /** Above it, three months in a row, banks are asked to make a small merchant's ID a merchant ID. */
  personalMonth: { paise: 1_00_000_00, source: 'NPCI OC 192/2023-24, 28 March 2024' },
  /** Turnover of a financial year above which a registration for GST is due; less in some states. */
  gstServices: { paise: 20_00_000_00, source: 'CGST Act, 2017, section 22' },
  gstGoods: { paise: 40_00_000_00, source: 'Notification 10/2019-Central Tax, 7 March 2019' },
} as const;

/** Whether apps will decline it. The paise that are added count: an order of ₹1,00,000 asks for a little more. */
export function isTooMuch(order: { account_kind: 'personal' | 'merchant'; payable_paise: number }): boolean {
  return order.account_kind === 'personal' && order.payable_paise > moneyRules.personalPayment.paise;
}
