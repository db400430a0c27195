export const home = {
  title: 'Home',
  today: 'Collected today',
  orders: (count: number) => (count === 1 ? '1 paid order' : `${count} paid orders`),
  month: 'Collected this month',
  ofLimit: (limit: string) => `of ${limit} in your plan`,
  median: 'Alert to paid, median',
  slowest: 'Alert to paid, 95 in 100',
  timingHint: 'since the bank’s mail, last 30 days',
  noTiming: 'No payment yet',
  chart: (days: number) => `Collections of the last ${days} days`,
  chartSummary: (days: number, total: string, best: string, day: string) =>
    `${total} in ${days} days; the best day was ${day} with ${best}.`,
  asTable: 'As a table',
  day: 'Day (India)',
  collected: 'Collected',
  paidOrders: 'Paid orders',
  attention: 'Needs your attention',
  allWell: 'Nothing needs your attention.',
  noBank: (vpa: string) =>
    `The UPI account ${vpa} does not name its bank, so no alert confirms a payment to it.`,
  nameBank: 'Name the bank',
  noAccount: 'There is no UPI account yet, so no order can be created.',
  noMailbox: 'No mailbox is connected and nothing is forwarded, so no payment can be confirmed.',
  blind: (address: string) =>
    `We cannot read ${address}. Payments made now are confirmed only once we can read it again.`,
  silentForwarding: (address: string) =>
    `Nothing is forwarded from ${address} any more: our test mails do not come back. Payments made now may not be confirmed.`,
  blindSince: 'Since',
  needsLogin: 'The mail server refuses the password: connect the mailbox again.',
  failing: (destination: string) => `Webhooks do not reach ${destination}.`,
  lastFailure: 'Last reason',
  givenUp: (count: number) =>
    count === 1
      ? 'One webhook was given up. You can resend it.'
      : `${count} webhooks were given up. You can resend them.`,
  unmatched: (count: number) =>
    count === 1
      ? 'One payment that came in waits for your decision.'
      : `${count} payments that came in wait for your decision.`,
  doubtful: (count: number) =>
    count === 1
      ? 'One mail of the last 7 days could not be counted, though there may be money in it.'
      : `${count} mails of the last 7 days could not be counted, though there may be money in them.`,
  openRefused: 'See the mails',
  paused: (count: number, limit: number) =>
    `Your plan has room for ${limit} UPI ${limit === 1 ? 'account' : 'accounts'}; ${count} ${count === 1 ? 'is' : 'are'} paused.`,
  limitNear: (percent: number, limit: string) =>
    `${percent}% of this month’s limit of ${limit} is used. At 100% no new orders can be created.`,
  limitReached: (limit: string) =>
    `This month’s limit of ${limit} is reached: no new orders can be created until next month.`,
  addAccount: 'Add a UPI account',
  connectMailbox: 'Connect a mailbox',
  openMailbox: 'See the mailbox',
  openWebhooks: 'See the webhooks',
  openMoney: 'Look at the money',
  openPlan: 'See plan and usage',
  emptyTitle: 'No payment yet',
  emptyText: 'The first steps lead you from here to a first confirmed payment of one rupee.',
  firstSteps: 'Go to the first steps',
};
