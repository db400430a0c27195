export const plan = {
  plan: 'Your plan',
  used: (percent: number) => `${percent}% used`,
  monthText:
    'A month is a calendar month in India. At the limit no new payments can be taken; open ones can still be paid. Your website gets the answer plan_limit_reached.',
  accountsOf: (used: number, limit: number) => `${used} of ${limit}`,
  accountsText:
    'Accounts beyond the limit are paused, the newest first; a larger plan starts them again at once.',
  history: 'Orders stay for',
  historyDays: (days: number) => `${days} days`,
  historyText: 'After that you find them in the monthly files of the Orders screen.',
  months: 'Month by month',
  monthsText: (months: number) =>
    `What came in, month by month, over ${months} ${months === 1 ? 'month' : 'months'}.`,
  emptyTitle: 'Nothing collected yet',
  emptyText: 'The first payment begins this chart.',
};
