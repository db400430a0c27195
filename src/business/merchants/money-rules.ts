/**
 * Limits that others set. Screens show them with their source; this program does not enforce them. Checked in November
 * 2026. If a rule changes, change it here and in docs/for-owners.md.
 */
export const moneyRules = {
  lookedAt: '2026-11',
  /** The most that UPI apps send to a personal UPI ID per payment and per day. */
  personalPayment: {
    paise: 1_00_000_00,
    source: 'NPCI, limit of person-to-person payments, kept by its circular of 28 August 2025',
  },
  /** Above it for three months in a row, banks should turn a small merchant's ID into a merchant ID. */
  personalMonth: { paise: 1_00_000_00, source: 'NPCI OC 192/2023-24, 28 March 2024' },
  /** Above this turnover per financial year, GST registration is required; less in some states. */
  gstServices: { paise: 20_00_000_00, source: 'CGST Act, 2017, section 22' },
  gstGoods: { paise: 40_00_000_00, source: 'Notification 10/2019-Central Tax, 7 March 2019' },
} as const;

/** Returns whether apps will decline it. The added paise count: an order of ₹1,00,000 asks for slightly more. */
export function isTooMuch(order: { account_kind: 'personal' | 'merchant'; payable_paise: number }): boolean {
  return order.account_kind === 'personal' && order.payable_paise > moneyRules.personalPayment.paise;
}
