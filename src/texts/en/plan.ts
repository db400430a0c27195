export const plan = {
  title: 'Plan and usage',
  plan: 'Your plan',
  thisMonth: 'This month',
  collected: 'Collected',
  limit: 'Limit a month',
  noLimit: 'no limit',
  used: (percent: number) => `${percent}% used`,
  monthText:
    'A month is a calendar month in India. At the limit no new payments can be taken; open ones can still be paid. Your website gets the answer plan_limit_reached.',
  accounts: 'UPI accounts',
  accountsOf: (used: number, limit: number) => `${used} of ${limit}`,
  accountsText:
    'Accounts beyond the limit are paused, the newest first; a larger plan starts them again at once.',
  history: 'Orders stay for',
  historyDays: (days: number) => `${days} days`,
  historyText: 'After that you find them in the monthly files of the Orders screen.',
  upgrade: 'Change the plan',
  months: 'Month by month',
  monthsText: (months: number) =>
    `What came in, month by month, over ${months} ${months === 1 ? 'month' : 'months'}.`,
  month: 'Month',
  emptyTitle: 'Nothing collected yet',
  emptyText: 'The first payment begins this chart.',
};
