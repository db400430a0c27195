export const home = {
  title: 'Today',
  today: 'Collected today',
  orders: (count: number) => (count === 1 ? '1 payment' : `${count.toLocaleString('en-IN')} payments`),
  takings: (count: number) => `${count.toLocaleString('en-IN')} of them without order`,
  moreThan: (apart: string, weekday: string) => `${apart} more than last ${weekday} by this time.`,
  lessThan: (apart: string, weekday: string) => `${apart} less than last ${weekday} by this time.`,
  asBefore: (weekday: string) => `Just as much as last ${weekday} by this time.`,
  nothingBefore: (weekday: string) => `Last ${weekday} nothing had come in by this time.`,
  share: 'Orders paid today',
  shareText: (paid: number, made: number, open: number) =>
    `${paid} of ${made} ${made === 1 ? 'order' : 'orders'}${open === 0 ? '' : `; ${open} can still be paid`}`,
  noneMade: 'No order yet today',
  month: 'Collected this month',
  ofLimit: (limit: string) => `Your plan allows ${limit}`,
  rules: {
    title: 'Sums that matter to others',
    month: 'To personal UPI IDs this month',
    monthText: (limit: string) =>
      `beside ${limit}: above it, three months in a row, banks are asked to make a shop’s ID a merchant ID.`,
    year: 'This financial year (from April)',
    yearText: (services: string, goods: string) =>
      `beside ${services} for services and ${goods} for goods alone: turnover above which GST registration is due; less in some states, and other sales count too.`,
    sources: (sources: string, day: string) =>
      `${sources}. As looked up in ${day}; rules change. This is no legal advice.`,
  },
  latest: 'Latest payments',
  allPayments: 'See all',
  chart: (days: number) => `The last ${days} days`,
  chartSummary: (days: number, total: string, best: string, day: string) =>
    `${total} in ${days} days. The best day was ${day} with ${best}.`,
  asTable: 'As a table',
  paidOrders: 'Payments',
  attention: 'Please look at this',
  allWell: 'All is well: nothing waits for you.',
  noBank: (vpa: string) =>
    `The UPI account ${vpa} has no bank written beside it, so we cannot confirm payments to it.`,
  nameBank: 'Name the bank',
  noAccount: 'There is no UPI account yet, so nobody can pay you here.',
  noMailbox: 'We do not get your bank’s mails yet, so we cannot confirm any payment.',
  blind: (address: string) =>
    `We cannot read ${address} right now. Payments are confirmed once we can read it again.`,
  changedMails: 'The bank’s mails reach us changed, so none of them confirms a payment.',
  silentForwarding: (address: string) =>
    `Mails from ${address} no longer reach us: our test mails do not come back. New payments may not be confirmed.`,
  needsLogin: 'The mail server refuses the password: connect the mailbox again.',
  failing: (destination: string) =>
    `Your website at ${destination} does not take our webhooks, so it does not hear of payments.`,
  givenUp: (count: number) =>
    count === 1
      ? 'We gave up one webhook. You can send it again.'
      : `We gave up ${count} webhooks. You can send them again.`,
  unmatched: (count: number) =>
    count === 1
      ? 'One payment paid no order by itself. Please look at it.'
      : `${count} payments paid no order by themselves. Please look at them.`,
  missing: (count: number) =>
    count === 1
      ? 'One paid order was not found in your bank’s statement.'
      : `${count} paid orders were not found in your bank’s statement.`,
  doubtful: (count: number) =>
    count === 1
      ? 'We could not count one mail of the last 7 days. It may be about money.'
      : `We could not count ${count} mails of the last 7 days. They may be about money.`,
  openRefused: 'See the mails',
  paused: (count: number, limit: number) =>
    `Your plan has room for ${limit} UPI ${limit === 1 ? 'account' : 'accounts'}; ${count} ${count === 1 ? 'is' : 'are'} paused.`,
  limitNear: (percent: number, limit: string) =>
    `${percent}% of this month’s limit of ${limit} is used. At 100% no new payments can be taken.`,
  limitReached: (limit: string) =>
    `This month’s limit of ${limit} is used up: no new payments can be taken until next month, or until you have a larger plan.`,
  openWebhooks: 'See the webhooks',
  openMoney: 'Look at the money',
  openPlan: 'See plan and usage',
  emptyTitle: 'No payment came in these days.',
};
