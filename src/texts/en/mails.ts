/** The mails that carry a link to one person, and the code of an extra address. A name inside a subject must hold no line break. */
export const mails = {
  openBusiness: {
    subject: 'Open your business on {service}',
    text: 'Open this within seven days to choose a password:\n{link}\n\nIf you did not ask for it, do nothing.\n',
  },
  hasAccount: {
    subject: 'You already have an account on {service}',
    text: 'Somebody, probably you, tried to open a business with this address. The address already has an account.\n\nSign in, or ask for a new password:\n{link}\n',
  },
  join: {
    subject: 'Join {business} on {service}',
    text: '{by} invites you to join {business} on {service}.\n\nOpen this within seven days to choose a password:\n{link}\n',
  },
  recover: {
    subject: 'A new password for {service}',
    text: 'Somebody, probably you, asked for a new password for {email}.\n\nOpen this within an hour:\n{link}\n\nThe request came from {address}. If it was not you, do nothing: the old password stays.\n',
  },
  role: {
    subject: 'Your role in {business} on {service}',
    text: 'Your role was changed from {before} to {after}.\n\nBusiness: {business}\nBy: {by}\n\nIf this is a mistake, ask an owner of the business or the operator of this service.\n',
  },
  removed: {
    subject: 'Your role in {business} on {service}',
    text: 'You were removed from the team and can no longer sign in.\n\nBusiness: {business}\nBy: {by}\n\nIf this is a mistake, ask an owner of the business or the operator of this service.\n',
  },
  /** To everybody whose account was imported. Nothing in it comes from the imported file. */
  moved: {
    subject: 'Your account on {service} was moved',
    text: 'Your account was moved to another installation of {service}, with your business. Sign in there from now on:\n{link}\n\nIf your password is not accepted, ask for a new one on that page.\n\nIf you have no account on {service}, ignore this mail.\n',
  },
  /** The same, to an owner. */
  movedOwner: {
    subject: 'Your account on {service} was moved',
    text: 'Your account was moved to another installation of {service}, with your business. Sign in there from now on:\n{link}\n\nIf your password is not accepted, ask for a new one on that page.\nThen connect the mailbox again, and give your shop the new webhook secret.\n\nIf you have no account on {service}, ignore this mail.\n',
  },
  /** To the operator, because only they may list a line. The lines follow. */
  heldLines: {
    subject: 'Bank mails are held; new lines: {count}',
    text: "Some bank mails have a line above the credit that is not listed for the bank. They are held and confirm no payment. Look at these lines, and list those that are the bank's own:\n{link}\n",
  },
  /** To the operator, with SIGNUPS=approve. */
  awaitsWord: {
    subject: 'New businesses wait for your approval: {count}',
    text: 'They signed up by themselves. Until you approve them, they can collect only a small sum:\n{link}\n',
  },
  /** To the operator: customers reported payment pages. Only the screen shows what they wrote. */
  reports: {
    subject: 'Payment pages were reported: {count}',
    text: 'Customers reported payment pages of businesses on this installation. Read the reports and decide what to do:\n{link}\n',
  },
  /** To the operator: somebody wrote to the postmaster of the mail domain. The stranger's words follow. */
  postmaster: {
    subject: 'A mail to the postmaster of your mail domain',
    text: 'Somebody wrote to the postmaster of your mail domain. The mail may be from anybody, and it is not kept. It begins like this:\n',
  },
  /** Filters and people know it by its subject; the proof is in a header. */
  probe: {
    subject: 'Milaan probe: tests your forwarding',
    text: 'This mail tests whether what your bank mails to this address reaches your shop. It comes a few times a day; nothing needs to be done.\n\nA filter may send it on and then delete it. It is sent because your business on Milaan forwards its alerts; to end it, give the forwarding address up under Shop › Bank and UPI.\n',
  },
  addressCode:
    'Code: {code}\n\nA shop wants to use the payment alerts that its bank sends to this address.\n\nIf alerts to this address are forwarded to the shop, nothing needs to be done: the code arrives with them.\n\nIf you did not expect this mail, ignore it. Never give the code to a stranger.',
} as const;

/** Notices to the owner of a business, on the dashboard and by mail. A fact is in braces by its name. */
export const news = {
  mailbox_blind: {
    subject: 'Payments are not being confirmed: {address} cannot be read',
    text: 'The mailbox {address} has not been readable since {since}, so payments are not confirmed.\n\n{cause}\n\nNo alert is lost: alerts that arrive now are read as soon as the mailbox works again. If this goes on, check the mailbox under Shop › Bank and UPI.',
  },
  mailbox_seeing: {
    subject: '{address} is being read again',
    text: 'The mailbox {address} works again. Alerts that arrived while it could not be read have been read now.',
  },
  forwarding_silent: {
    subject: 'Payments may not be confirmed: nothing is forwarded from {address}',
    text: 'Our test mails to {address} have not come back since {since}. Mails that arrive there are no longer forwarded to {forward_to}, so your bank’s alerts do not reach us.\n\nCheck the forwarding at your mail provider. Alerts that wait in your mailbox confirm no payment until they are forwarded.',
  },
  forwarding_heard: {
    subject: 'The forwarding of your alerts works again',
    text: 'Our test mails come back again, so your bank’s alerts reach us.\n\nCheck the orders from the time in between: alerts that were not forwarded confirmed no payment.',
  },
  orders_unconfirmable: {
    subject: 'Orders are created, but no payment can be confirmed',
    text: 'Since {since}, your shop creates orders, but no mailbox is connected and nothing is forwarded, so no payment can be confirmed. The payment page asks your customers not to pay, but to contact you.\n\nForward your bank’s alerts, or connect the mailbox that receives them, under Shop › Bank and UPI.',
  },
  alert_unreadable: {
    subject: 'A mail from your bank could not be checked',
    text: 'A mail that arrived on {arrived} could not be checked within a day, so it confirms no payment. {cause}\n\nIf a customer paid at that time, look for the money in your account.',
  },
  alert_held: {
    subject: 'A mail from {bank} could not be read: it may be about a payment',
    text: '{bank} sent you a mail that arrived on {arrived}. Its wording is not known here, so it confirms no payment. You may have been paid: look into your account.\n\nThe mail is kept. As soon as its wording is known, it is read again and pays the order of its own time. If only its reading is in doubt, you can read it yourself and take it for an order. You find it under Payments › Not counted as {alert}, with the others of that day.',
  },
  mail_changed: {
    subject: 'Payments are not confirmed: mails are changed on their way to us',
    text: '{what} was changed on its way to us, so its signature is no longer valid. {change} A changed alert confirms no payment.\n\n{advice}\n\nLook into your account for payments from this time: an alert that was changed stays unproven.',
  },
  alert_forged: {
    subject: 'No payment: a mail in a bank’s name is not from the bank',
    text: 'A mail that arrived on {arrived} uses a bank’s name, but the bank’s key did not confirm it within a day. It does not prove that anybody paid you, and it pays no order: deliver nothing because of it.\n\nYou find it under Payments › Not counted, with others of that day, marked as not from the bank.',
  },
  money_unmatched: {
    subject: 'Payments to match: {count}',
    text: 'You received money, and no order asked for exactly this sum. Payments since the last such notice: {count}. The latest: ₹{amount} from {payer}, on {at}.\n\nDecide under Payments › To decide what becomes of it: it belongs to an order, you gave it back, or you keep it.',
  },
  order_waits: {
    subject: 'Orders that wait for your decision: {count}',
    text: 'Money came for an order, and the order waits for your decision: the sum is different, or you must first look for the money in your account. Orders since the last such notice: {count}. The latest: {order} asked for ₹{asked}, and ₹{amount} came from {payer}, on {at}.\n\nAccept or decline it under Payments › To decide. The customer sees that you are looking at it.',
  },
  link_oversold: {
    subject: 'Sold once more than there is: {title}',
    text: 'A payment by the link “{title}” came after its time was over. Its piece had been sold to somebody else by then, so one more is paid than the {stock} that you had. Order {order} was paid now, order {other} before it. Both customers have paid.\n\nDecide whom you can serve, and give the other their money back in your bank’s app. You find both under Payments › To decide.',
  },
  statement_missing: {
    subject: 'Not found in your bank’s statement: {count}',
    text: 'A statement from {bank} covers the day of a payment but has no line for it. Orders that are missing in it: {count}. The latest: {order}, ₹{amount}, of {at}.\n\nThe bank’s mail was genuine, and the order stays paid. Look into your account for the money, and ask the bank if it is not there. You find these orders under Payments › To decide; a later statement that has the line clears them.',
  },
  webhook_failing: {
    subject: 'Your webhooks do not reach {destination}',
    text: 'Since {since}, no webhook has reached {destination} ({failures} failed attempts). The last one failed because: {cause}.\n\nPayments are still confirmed and shown on your dashboard. When your server works again, resend the failed events from the webhooks screen.',
  },
  webhook_working: {
    subject: 'Your webhooks reach {destination} again',
    text: '{destination} accepted a webhook on {at}, for the first time since {since}. Resend the events that failed in between from the webhooks screen.',
  },
  webhook_given_up: {
    subject: 'A webhook to {destination} was given up',
    text: 'The event {type} for order {order} could not be delivered to {destination} and will not be tried again. The last attempt failed because: {cause}.\n\nThe order itself is paid. You find this event, and any other given up today, on the webhooks screen, where you can resend them.',
  },
  chat_off: {
    subject: 'No more notices go to {place}',
    text: 'Notices are no longer sent to {place}: {cause}. Payments are still confirmed.\n\nNotices come to your devices and by mail: choose which under Shop › Notifications.',
  },
  month_nearly_full: {
    subject: 'You have used {percent} % of your plan’s month',
    text: 'You have collected ₹{collected} of the ₹{limit} that your plan allows this month. When the month is full, new orders are refused until the month ends in India, or until you take a larger plan. Open orders can still be paid.',
  },
  month_full: {
    subject: 'New orders are refused: your plan’s month is full',
    text: 'You have collected ₹{collected} this month, and your plan allows ₹{limit}. New orders are refused (402 plan_limit_reached) until the month ends in India, or until you take a larger plan. Customers who have an open order can still pay it.',
  },
  accounts_paused: {
    subject: 'Your plan pauses UPI accounts: {count}',
    text: 'Your plan allows {limit} UPI accounts. The oldest keep working, and new orders on the others are refused (402 payment_account_paused). Paused now: {count}.\n\nA larger plan, or fewer accounts, ends this at once.',
  },
  plan_ending: {
    subject: 'Your plan {plan} ends on {until}',
    text: 'Your plan {plan} is paid until {until}. Renew before then and you lose no day: the days that you buy are added to those that you have.',
  },
  plan_ended: {
    subject: 'Your plan {plan} has ended',
    text: 'The time that you paid for on the plan {plan} is over. The plan stays until {until}, so that nothing stops while you renew. These extra days count as part of what you buy. After that, your business is on the default plan, with its limits.',
  },
  plan_over: {
    subject: 'Your business is back on the default plan',
    text: 'The plan {plan} was not renewed, so your business is on the default plan now, with its limits. Orders that this plan does not show are hidden first and deleted 14 days later. Until then, a plan with a longer history brings them back.\n\nYou can buy a plan on any day.',
  },
  history_shorter: {
    subject: 'Your orders stay visible for {days} days now',
    text: 'Your plan now shows orders for {days} days; until now it was {before}. Older orders are hidden. They are deleted from {from} on, and until then a plan with a longer history brings them back.\n\nYou find them as CSV files, month by month, on the Orders screen: {link}',
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
