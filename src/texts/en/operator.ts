export const operator = {
  businessesText: 'Every business of this installation, newest first.',
  searchHint: 'A part of the name, the whole id, or a user’s mail address.',
  id: 'Id',
  owner: 'Owner',
  mailbox: 'Alerts',
  noMailbox: 'none connected',
  webhooksText: (failing: number, failed: number) =>
    `destinations failing: ${failing}, events given up: ${failed}`,
  open: 'Open',
  disabled: 'Disabled',
  leaving: 'To be deleted',
  moved: 'Moved away',
  movedBack: 'It was moved away from here; milaan export-business --undo takes that back.',
  forwarded: 'Forwarded',
  forwardedNew: 'Forwarded, nothing came yet',
  forwardedSilent: 'Forwarding silent',
  emptyTitle: 'No business yet',
  emptyText: 'Businesses sign up by themselves, or you create one with “milaan create-business”.',
  noneTitle: 'No business fits this search',
  noneText: 'Search for something else.',
  disable: 'Disable',
  enable: 'Enable',
  disableTitle: (name: string) => `Disable ${name}?`,
  disableConsequences: [
    'Customers who have paid open orders are still confirmed and its webhooks still sent.',
    'It can be enabled again at any time. The owner is told.',
  ],
  disabledFlash: (name: string) => `${name} is disabled.`,
  enabledFlash: (name: string) => `${name} is enabled again.`,
  planFlash: (name: string, plan: string) => `${name} is now on plan ${plan}.`,
  health: 'Health',
  allCells: 'All cells',
  cell: (number: number) => `Cell ${number}`,
  healthText: 'What the alarms ring for, over all businesses and processes.',
  alarms: 'What needs you',
  allWell: 'Nothing. All that this screen can see is well.',
  whatToDo: 'What to do',
  alarm: {
    MilaanMailboxesBlind: (count: number) =>
      `Mailboxes that cannot be read: ${count}. Customers of these shops pay and hear nothing.`,
    MilaanLoginRefused: (count: number) =>
      `Mailboxes that refuse the password: ${count}. Their owners have been told.`,
    MilaanForwardingsSilent: (count: number) => `Forwardings that bring no mail any more: ${count}.`,
    MilaanAlertsWaiting: (count: number) =>
      `Bank mails that nobody has judged for more than a minute: ${count}.`,
    MilaanAlertsRetrying: (count: number) =>
      `Bank mails that wait for DNS or a bank’s key: ${count}. They pay once it answers.`,
    MilaanNewLines: (count: number) => `New lines in banks’ mails that wait for your word: ${count}.`,
    MilaanWebhooksLate: (count: number) => `Webhooks that are due and not sent: ${count}. Shops do not hear.`,
    MilaanBackupOld: (days: number) => `No backup succeeded for days: ${days}.`,
    MilaanVerifyOld: (days: number) => `The rules were not checked (verify) for days: ${days}.`,
    MilaanClockSet: (seconds: number) =>
      `The clocks of machine and database were set together by ${seconds} s. No orders are created until it is known which time is right.`,
    MilaanWebhooksNotSigned: (count: number) =>
      `Webhooks that could not be signed: ${count}. SECRET_KEY does not open their secrets.`,
    MilaanMailLate: (count: number) =>
      `Bank mails that we saw more than a minute late in the last quarter of an hour: ${count}.`,
    MilaanMailUnfetchable: (count: number) =>
      `Mails that a mail server lists and does not hand out, in the last hour: ${count}.`,
    MilaanKeysDoubted: (count: number) =>
      `Bank mails whose key in DNS does not fit, in the last hour: ${count}. They are tried again for a day.`,
    MilaanKeyChanged: (count: number) =>
      `Banks’ keys that changed under the same name in the last hour: ${count}. Was it the bank?`,
    MilaanKeyWithdrawn: (count: number) =>
      `Keys that banks have withdrawn in the last two days: ${count}. Mails signed with them pay nothing.`,
    MilaanUnlistedDomain: (count: number) =>
      `Bank mails signed by a domain that is not listed, in the last hour: ${count}. They pay nothing.`,
    MilaanMailOut: (count: number) =>
      `Mails to owners that were not taken in half an hour: ${count}, and none was.`,
    MilaanPushesFail: (count: number) =>
      `Notices to devices that were not taken in half an hour: ${count}, and none was.`,
    MilaanHistoryOverdue: (days: number) =>
      `Something should have left a business’s history; days it is overdue: ${days}.`,
  },
  alarmOfProcess: {
    MilaanDown: (minutes: number, process: string) =>
      `${process} does not answer. Minutes since its last word: ${minutes}.`,
    MilaanClockWrong: (seconds: number, process: string) =>
      `The clock of ${process} is off from the database’s by ${seconds} s.`,
    MilaanSlow: (milliseconds: number, process: string) =>
      `${process} gets to its work late, by ${milliseconds} ms. It has too little processor.`,
  },
  alarmOfBank: {
    MilaanUnreadable: (count: number, bank: string) =>
      `Mails of ${bank} that could not be read today: ${count}. Has it changed its wording?`,
    MilaanForged: (count: number, bank: string) =>
      `Forged mails in the name of ${bank} today: ${count}. None of them paid anything.`,
  },
  routineFailed: {
    backup: 'The last backup failed.',
    verify: 'The last check of the rules (verify) found one broken. Look at it now.',
  },
  figures: {
    businesses: 'Businesses',
    disabled: 'Disabled or leaving',
    mailboxes: 'Mailboxes connected',
    blind_mailboxes: 'Mailboxes out of reach',
    need_login: 'Mailboxes that refuse the password',
    waiting_alerts: 'Alerts waiting to be judged',
    retrying_alerts: 'Alerts waiting for DNS or a key',
    silent_forwardings: 'Forwardings that fell silent',
    dns_failures: 'DNS answers that failed in 24 hours',
    key_changes: 'Keys changed by banks in 24 hours',
    mails_failed: 'Mails to owners not taken in 24 hours',
    pushes_failed: 'Notices to devices not taken in 24 hours',
    due_deliveries: 'Webhooks due now',
    failing_destinations: 'Destinations that fail',
    paid_today: 'Orders paid in 24 hours',
  },
  oldest: 'oldest since',
  troubled: 'Businesses in trouble',
  troubledNone: 'None',
  troubledNoneText: 'Every open business has a mailbox that is being read, and no destination that fails.',
  paidChart: 'Orders paid by the hour',
  paidByHour: (paid: number) => `Orders paid in 24 hours: ${paid}`,
  timing: 'Time to confirm',
  timingText: (median: string, slowest: string, count: number) =>
    `Half of the payments within ${median} of the bank’s mail, 95 of 100 within ${slowest} (${count.toLocaleString('en-IN')} ${count === 1 ? 'payment' : 'payments'}).`,
  noTiming: 'No payment lately',
  timingDays: (days: number) => (days === 1 ? 'over the last 24 hours' : `over the last ${days} days`),
  fromHour: (hour: string) => `from ${hour}`,
  dnsChart: 'DNS answers that failed, by the hour',
  dnsByHour: (failed: number) => `DNS answers that failed in 24 hours: ${failed}`,
  refusedChart: 'Bank mails that could not be used, by the day',
  refusedByDay: (count: number) => `Unreadable or forged in 14 days: ${count}`,
  routine: 'Routine',
  history: 'Leaving history',
  nothingOverdue: 'Nothing is overdue',
  overdueFor: (hours: number) => `Overdue; hours: ${hours}`,
  processes: 'Processes',
  answers: 'Answers',
  silentFor: (minutes: number) => `Silent; minutes: ${minutes}`,
  processText: (version: string, skew: string, lag: number) =>
    `version ${version}, clock ${skew} s from the database’s, at work within ${lag} ms`,
  routines: { backup: 'Last backup', verify: 'Last check of the rules (verify)' },
  went: 'Went well',
  failed: 'Failed',
  neverRan: 'Never ran',
};
