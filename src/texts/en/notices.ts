export const notices = {
  text: 'Changes that matter for safety, and things that went wrong. Owners get them by mail too, where mail is set up.',
  unseenTitle: (count: number) => (count === 1 ? 'One new notice' : `${count} new notices`),
  unseenText: 'Look through them once: a change that none of you made may be a thief’s.',
  isNew: 'New',
  toAlert: 'See the mail',
  markSeen: 'Mark as seen',
  markAll: 'Mark all as seen',
  markedOne: 'The notice is marked as seen.',
  marked: (count: number) =>
    count === 1 ? 'One notice is marked as seen.' : `${count} notices are marked as seen.`,
  more: 'See all notices',
  onlyNew: 'Only new',
  filter: 'Which notices',
  emptyTitle: 'No notices yet',
  emptyText: 'Changes of UPI accounts, mailbox, keys and team appear here, and what needs you.',
  noneTitle: 'Nothing new',
  noneText: 'Someone in your team has looked at every notice.',
};
