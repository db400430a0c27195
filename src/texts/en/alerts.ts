export const alerts = {
  title: 'Refused mails',
  text: 'Mails that confirm no payment, and why: not from the bank, not to you, not understood, no money. They can pay nothing.',
  filter: 'What became of it',
  why: 'Why',
  order: 'Concerns order',
  nextTry: 'Next try',
  details: 'What the mail says',
  emptyTitle: 'No mail was refused',
  emptyText: 'Every mail that arrived told of real money to you. Alerts arrive through your mailbox.',
  noneTitle: 'No mail with this reason',
  noneText: 'Choose another reason, or show all of them.',
} as const;
