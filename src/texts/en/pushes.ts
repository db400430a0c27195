/** What a device shows, and where a person chooses what they are told. */
export const pushes = {
  received: '{amount} received',
  hello: 'Notices will look like this',

  title: 'What reaches you',
  text: 'This is about you alone: everybody of the business chooses for themselves.',
  choose: 'Choose',
  topicsTitle: 'Mail and devices',
  topic: 'What happened',
  byMail: 'By mail',
  byPush: 'On my devices',
  noMail: 'This installation sends no mail.',
  topics: {
    payment: { name: 'Payment received', text: 'Each payment that pays an order.' },
    money: {
      name: 'Money to look at',
      text: 'Money without an order, or an order that waits for your word.',
    },
    mailbox: { name: 'Payments cannot be confirmed', text: 'The mailbox cannot be read, or works again.' },
    webhooks: { name: 'Webhooks fail', text: 'Your server does not take its webhooks, or takes them again.' },
  },
  inSummary: 'Daily summary',
  always: 'Changes of UPI accounts, mailbox, keys and team are always mailed to every owner.',
  saved: 'Your choice is saved.',

  summaryTitle: 'The day by mail',
  summaryText:
    'What came in, against the same day of last week, and what needs you. Before noon it tells of the day before, from noon on of the day so far.',
  summaryOff: 'Not at all',
  summaryAt: 'At {hour}',
  summaryEmpty: 'Also on days with nothing to tell',

  devicesTitle: 'Your devices',
  devicesText: 'Notices appear on these, also while {service} is closed.',
  noKey: 'The operator of this installation has not set up notices on devices.',
  none: 'No device yet',
  noneText: 'Open this page on the phone or computer that shall show notices, and turn them on there.',
  lastTold: 'Last notice',
  never: 'None yet',
  action: 'Action',
  thisDevice: 'This device',
  removed: 'The device is removed.',
  turnOn: 'Turn notices on here',
  confirmFirst: 'Confirm that it is you, then turn notices on',
  turnedOn: 'Notices are on for this device. The first one is on its way.',
  refusedByBrowser:
    'The browser does not let {service} show notices. Allow it in the settings of the browser for this page, and try again.',
  failed: 'That did not work. Try again in a moment.',
  tooMany: 'You have {most} devices already. Remove one first.',
  impossible: 'This browser cannot show notices.',
  impossibleOnIphone:
    'On an iPhone or iPad, notices need the app: press Share, then “Add to Home Screen”, open {service} from there and come back to this page.',

  appTitle: 'The app',
  appText: '{service} on your home screen opens like an app. It keeps nothing of your money on the device.',
  install: 'Install the app',
  installOnIphone: 'On an iPhone or iPad: press Share, then “Add to Home Screen”.',
  installed: 'You are using the app.',
  installElsewhere: 'Where your browser offers it, its menu has “Install” or “Add to home screen”.',

  offlineTitle: 'No connection',
  offlineText:
    '{service} shows no payment that it cannot check at this moment. Try again when you are online.',
  tryAgain: 'Try again',
} as const;
