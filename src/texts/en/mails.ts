/** The mails that carry a link to one person, and the code of an extra address. A name inside a subject must hold no line break. */
export const mails = {
  openBusiness: {
    subject: 'Open your business on {service}',
    text: 'Open this within seven days to choose a password:\n{link}\n\nIf you did not ask for it, do nothing.\n',
  },
  hasAccount: {
    subject: 'You have an account on {service} already',
    text: 'Somebody, most likely you, wanted to open a business with this address, which has an account already.\n\nSign in, or ask for a new password:\n{link}\n',
  },
  join: {
    subject: 'Join {business} on {service}',
    text: '{by} invites you to join {business} on {service}.\n\nOpen this within seven days to choose a password:\n{link}\n',
  },
  recover: {
    subject: 'A new password for {service}',
    text: 'Somebody, most likely you, asked for a new password for {email}.\n\nOpen this within an hour:\n{link}\n\nIt was asked for from {address}. If that was not you, do nothing: the old password stays.\n',
  },
  role: {
    subject: 'Your role in {business} on {service}',
    text: 'Your role was changed from {before} to {after}.\n\nBusiness: {business}\nBy: {by}\n\nIf this should not be, ask an owner of the business or the operator of this service.\n',
  },
  removed: {
    subject: 'Your role in {business} on {service}',
    text: 'You were removed from the team and can no longer sign in.\n\nBusiness: {business}\nBy: {by}\n\nIf this should not be, ask an owner of the business or the operator of this service.\n',
  },
  /** To everybody whose account an import brought. Nothing in it comes from the imported file. */
  moved: {
    subject: 'Your account on {service} was moved',
    text: 'Your account was moved to another installation of {service}, with your business. Sign in there from now on:\n{link}\n\nIf your password is not accepted, ask for a new one on that page.\n\nIf you have no account on {service}, ignore this mail.\n',
  },
  /** The same to an owner. */
  movedOwner: {
    subject: 'Your account on {service} was moved',
    text: 'Your account was moved to another installation of {service}, with your business. Sign in there from now on:\n{link}\n\nIf your password is not accepted, ask for a new one on that page.\nThen connect the mailbox again, and give your shop the new webhook secret.\n\nIf you have no account on {service}, ignore this mail.\n',
  },
  /** To the operator, who alone may list a line. The lines follow. */
  heldLines: {
    subject: 'Mails of banks are held; new lines: {count}',
    text: "Credits stand below lines that are not listed for their bank, so their mails are held and pay nothing. Look at them and list those that are the bank's own:\n{link}\n",
  },
  /** To the operator, with SIGNUPS=approve. */
  awaitsWord: {
    subject: 'New businesses wait for your word: {count}',
    text: 'They opened by themselves, and take little until you agree:\n{link}\n',
  },
  /** To the operator: customers reported payment pages. What they wrote stands on the screen alone. */
  reports: {
    subject: 'Payment pages were reported: {count}',
    text: 'Customers say that something is wrong with payment pages of businesses here:\n{link}\n',
  },
  /** To the operator: somebody wrote to the postmaster of the mail domain. The stranger's words follow. */
  postmaster: {
    subject: 'A mail to the postmaster of your mail domain',
    text: 'Somebody wrote to the postmaster. This is how their mail begins; it may be from anybody, and is not kept:\n',
  },
  /** Filters and people know it by its subject; the proof is in a header. */
  probe: {
    subject: 'Milaan probe: tests your forwarding',
    text: 'This mail tests whether what your bank mails to this address reaches your shop. It comes a few times a day; nothing needs to be done.\n\nA filter may send it on and then delete it. It is sent because your business on Milaan forwards its alerts; to end it, give the forwarding address up on the Mailbox screen.\n',
  },
  addressCode:
    'Code: {code}\n\nA shop wants the payment alerts that its bank sends to this address to count as its own.\n\nIf alerts to this address are forwarded to the shop, nothing needs to be done: the code arrives with them.\n\nIf you did not expect this mail, ignore it. Never pass the code on to a stranger.',
} as const;
