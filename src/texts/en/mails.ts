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

/** What the owner of a business is told, on the dashboard and by mail. A fact stands in braces by its name. */
export const news = {
  mailbox_blind: {
    subject: 'Payments are not being confirmed: {address} cannot be read',
    text: 'Since {since}, the mailbox {address} could not be read, so payments are not confirmed.\n\n{cause}\n\nAlerts that arrive meanwhile are not lost: they are read as soon as the mailbox works again.',
  },
  mailbox_seeing: {
    subject: '{address} is being read again',
    text: 'The mailbox {address} works again. Alerts that arrived meanwhile have been read.',
  },
  forwarding_silent: {
    subject: 'Payments may not be confirmed: nothing is forwarded from {address}',
    text: 'Test mails to {address} have not come back since {since}: what arrives there is no longer sent on to {forward_to}, so alerts of your bank do not reach us. Look at the forwarding at your mail provider. Alerts that are in your mailbox meanwhile confirm nothing until they are sent on.',
  },
  forwarding_heard: {
    subject: 'The forwarding of your alerts works again',
    text: 'Our test mails come back again, so alerts of your bank reach us. Look through the orders of the time between: alerts that were not sent on confirmed nothing.',
  },
  orders_unconfirmable: {
    subject: 'Orders are being created that nobody can confirm',
    text: 'Since {since}, your shop creates orders, but no mailbox is connected and nothing is forwarded, so no payment can be confirmed. The payment page does not ask your customers to pay, but to contact you. Forward your bank’s alerts, or connect the mailbox that receives them, on the Mailbox screen.',
  },
  alert_unreadable: {
    subject: 'A mail from your bank could not be checked',
    text: 'A mail that arrived on {arrived} could not be checked within a day, so it confirms no payment. {cause}',
  },
  alert_held: {
    subject: 'A mail of {bank} could not be read: there may be money in it',
    text: '{bank} sent you a mail that arrived on {arrived} and is written in a way that is not known here, so it confirms no payment. There may be money in it: look into your account. The mail is kept. As soon as its wording is known it is read again, and pays the order of its own time. Where only its reading is in doubt you can read it yourself and take it for an order. You find it, and any other of that day, under Refused mails on the Money screen, this one under {alert}.',
  },
  mail_changed: {
    subject: 'Payments are not confirmed: mails are changed on their way to us',
    text: '{what} reached us changed, so its signature no longer holds. {change} A changed alert confirms no payment.\n\n{advice}\n\nLook into your account for what was paid meanwhile: an alert that came changed stays unproven.',
  },
  alert_forged: {
    subject: 'No payment: a mail that used the name of a bank is not from the bank',
    text: "A mail that arrived on {arrived} uses the name of a bank, and for a whole day the bank's key did not confirm it. It does not say that anybody has paid you: no order is paid by it, so deliver nothing because of it. Others like it of the same day stand beside it on the Money screen under Refused mails, as not from the bank.",
  },
  money_unmatched: {
    subject: 'Money without an order: {count}',
    text: 'Real money came in that no order asked for exactly. Payments since the last such notice: {count}. The latest: ₹{amount} from {payer}, on {at}.\n\nSay on the Money screen what becomes of it: it belongs to an order, you gave it back, or you keep it.',
  },
  order_waits: {
    subject: 'Orders that wait for your decision: {count}',
    text: 'Money came for an order, and the order waits for you: it is another sum, or one that you are to look for in your account first. Orders since the last such notice: {count}. The latest: {order} asked for ₹{asked}, and ₹{amount} came from {payer}, on {at}.\n\nAccept or decline it on the Money screen. The customer sees that you are looking at it.',
  },
  link_oversold: {
    subject: 'Sold once more than there is: {title}',
    text: 'A payment by the link “{title}” came after its time was over, and its piece had gone to somebody else by then: of {stock} to sell, one more is paid. Order {order} was paid now, order {other} before it. Both customers have paid.\n\nDecide whom you can serve, and give the other their money back in your bank’s app. You find both on the Money screen.',
  },
  statement_missing: {
    subject: 'Not found in your bank’s statement: {count}',
    text: 'A statement of {bank} covers the day of a payment and has no line for it. Orders that it should have and does not: {count}. The latest: {order}, ₹{amount}, of {at}.\n\nThe bank’s mail was genuine, and the order stays paid. Look into your account for the money, and ask the bank if it is not there. You find these orders on the Money screen; a later statement that has the line clears them.',
  },
  webhook_failing: {
    subject: 'Your webhooks do not reach {destination}',
    text: 'Since {since}, no webhook has reached {destination} ({failures} failed attempts). The last one failed because: {cause}.\n\nPayments are still confirmed and shown on your dashboard. When your server works again, resend the failed events from the webhooks screen.',
  },
  webhook_working: {
    subject: 'Your webhooks reach {destination} again',
    text: '{destination} took a webhook on {at}, for the first time since {since}. Resend the events that failed meanwhile from the webhooks screen.',
  },
  webhook_given_up: {
    subject: 'A webhook to {destination} was given up',
    text: 'The event {type} for order {order} could not be delivered to {destination} and is not tried any more. The last attempt failed because: {cause}.\n\nThe order itself is paid. You find this event, and any other given up today, on the webhooks screen, where you can resend them.',
  },
  chat_off: {
    subject: 'No more notices go to {place}',
    text: '{place} takes no notices any more, so none are sent there: {cause}. Payments are confirmed all the same.\n\nSet it right there, and press “Test” under Notices, Chats: it is then on again. Or remove it.',
  },
  month_nearly_full: {
    subject: 'Your plan’s month is used to {percent} %',
    text: 'Of the ₹{limit} that your plan lets you collect this month, ₹{collected} is collected. When it is full, new orders are refused until the month ends in India, or until you take a larger plan. Open orders can still be paid.',
  },
  month_full: {
    subject: 'New orders are refused: your plan’s month is full',
    text: 'You have collected ₹{collected} this month, and your plan lets you collect ₹{limit}. New orders are refused (402 plan_limit_reached) until the month ends in India, or until you take a larger plan. Customers who have an open order can still pay it.',
  },
  accounts_paused: {
    subject: 'Your plan pauses UPI accounts: {count}',
    text: 'Your plan lets you use {limit} UPI accounts; the oldest are kept, and new orders on the others are refused (402 payment_account_paused). Paused now: {count}. A larger plan, or fewer accounts, ends that at once.',
  },
  plan_ending: {
    subject: 'Your plan {plan} ends on {until}',
    text: 'Your plan {plan} is paid until {until}. Whoever renews before then loses no day: what you buy is added to what you have.',
  },
  plan_ended: {
    subject: 'Your plan {plan} has ended',
    text: 'What you paid for of the plan {plan} is over. It stays until {until}, so that nothing stops while you renew; the days until then are counted to what you buy. After that your business is on the default plan, with its limits.',
  },
  plan_over: {
    subject: 'Your business is back on the default plan',
    text: 'The plan {plan} was not renewed, so your business is on the default plan now, with its limits. Your orders stay as that plan says: what it does not show is hidden at first and deleted 14 days later, and a plan with a longer history brings it back until then.\n\nA plan can be bought on any day.',
  },
  history_shorter: {
    subject: 'Your orders stay visible for {days} days now',
    text: 'Your plan shows orders for {days} days from now on; until now it was {before}. Older orders are hidden. They are not gone yet: they are deleted from {from} on, and until then a plan with a longer history brings them back.\n\nYou find them as CSV files, month by month, on the Orders screen: {link}',
  },
  done: {
    subject: '{deed}',
    text: '{deed}\n\nWhen: {at}',
  },
  deed: {
    subject: '{deed}',
    text: '{deed}\n\nBy: {by}\nWhen: {at}\nFrom: {from}\n\nIf nobody in your business did this, sign in, end all other sessions under "Your account", change the password, and undo the change.',
  },
} as const;
