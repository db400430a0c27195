/** Texts that banks put above an alert's greeting: banners, advice, headlines. None of them is listed anywhere. */
export const above = [
  'Pending KYC is easy to complete.',
  'Transaction alert',
  'Money received!',
  'INTERNET BANKING | MOBILE BANKING | CONTACT US',
  'View this mail in your browser',
  'Open a fixed deposit today at 7.25% p.a.',
  'Beware of phishing: never approve a collect request from strangers.',
  'Never share your OTP, PIN or CVV with anyone.',
  'This is a system generated mail. Please do not reply.',
  'Failed transactions are reversed within one working day.',
  'Complete your re-KYC before 31-12-2026 to avoid a freeze on your account.',
  'Customer ID XX1188',
  'Registered mobile: 98XXXXXX10',
  'Refer a friend and earn reward points.',
  'Now pay on UPI with your credit card.',
  'UPI Lite is here: small payments without a PIN.',
  'Our branches are closed on Republic Day.',
  'Scheduled maintenance on Sunday from 1.30 am to 4.30 am.',
  'Credit cards cancelled by mistake? Talk to us.',
  'Home loans, car loans, gold loans',
  'आपका बैंक, आपके साथ',
  'Your security is our priority.',
  'Download the new app',
  'Alert generated on 15-11-2026 at 10:22:33',
  'Ref: ALERT/2026/11/000123',
  'Wishing you a happy Diwali!',
  'Declined card? See what to do.',
  'Not received your statement? It will be sent again.',
  'Did you know? Refunds reach you faster on UPI.',
  'If you have not initiated this transaction, call 1800 1234.',
  'Toll free 1800 1234 / 1800 2100',
  'Reg. Office: Fort, Mumbai 400001',
  'E-statements are free',
];

/** Courtesies between greeting and statement, listed for every bank. */
export const courtesies = [
  'Greetings of the day!',
  'Good Morning Asha,',
  'Good evening, MEERA IYER!',
  'Thank you for banking with us.',
];

/** Texts that banks put below. */
export const below = [
  'This transfer was initiated using UPI Lite.',
  'Thank you for banking with us.',
  'For failed transactions, the amount debited will be reversed within T+1 days.',
  'If this transaction was not initiated by you, SMS BLOCKUPI to 5676782.',
  'Not you? Report it at once.',
  'Your account will be debited only after you enter your UPI PIN.',
  'Never share your OTP, PIN or CVV with anyone.',
  'You are requested not to reply to this mail.',
  'If you have received this mail in error, please delete it.',
  'Pending KYC is easy to complete.',
  'Transaction failed? Payment pending? Refund delayed? Chat with us.',
  'Amount once credited will not be refunded.',
  'The balance shown includes funds in clearing and amounts on hold.',
  'Disclaimer: the amount credited is subject to reversal in case of dispute.',
  'Do not accept any collect request to receive money.',
  'Please ignore this mail if you have already updated your KYC.',
  'Cheques, NEFT, RTGS and cash: see our charges.',
  'Warm regards, Team Alerts',
  'अपना OTP किसी के साथ साझा न करें।',
  'असफल लेनदेन की राशि तीन कार्य दिवसों में वापस हो जाएगी।',
  'Kindly update your PAN; accounts without PAN will be frozen.',
  'Complaints pending beyond 30 days may go to the Ombudsman.',
  'The message could have been intercepted, corrupted, lost, or arrive late or incomplete.',
  'This is an auto generated mail',
  'To unsubscribe from alerts visit your branch.',
  'Follow us on social media',
  'Loans from 8.50% p.a.',
  'Payment services will be unavailable due to scheduled maintenance on Sunday.',
  'Cashback will be credited within 90 days.',
  'A dispute can be raised for this transaction within 120 days.',
  'Replies to this mailbox are not received.',
  '© 2026. All rights reserved.',
  'Always open to help you.',
];

/** Sums below the statement, in lines of their own. */
export const moneyBelow = [
  'The available balance in your account is Rs. INR 12,345.67.',
  'Get cashback of Rs. 500 on your first bill payment.',
  'Minimum balance ₹10,000. Charges apply.',
];

/**
 * Other mails of a bank that carry a stranger's text `Q`, after the bank's own greeting. Nobody has seen one; a thief
 * needs one that exists.
 */
export const carriersWithGreeting: Readonly<Record<string, string>> = {
  'behind words in its line': '<p>A remark was left for you: Q</p>',
  'behind words, in bold': '<p>A remark was left for you: <b>Q</b></p>',
  'between quotation marks': '<p>MEERA IYER wrote “Q”.</p>',
  'its own line below words': '<p>MEERA IYER left you a remark.<br>Q</p>',
  'its own paragraph': '<p>You have a new message.</p><p>Q</p>',
  'its own paragraph below a colon': '<p>Remark:</p><p>Q</p>',
  'a cell beside its label': '<table><tr><td>Remarks</td><td>Q</td></tr></table>',
  'a cell of paragraphs': '<table><tr><td><p>Remarks</p></td><td><p>Q</p></td></tr></table>',
  'the row below its label': '<table><tr><td>Remarks</td></tr><tr><td>Q</td></tr></table>',
  'a row of a list of payments':
    '<table><tr><td>From</td><td>MEERA</td></tr><tr><td>Note</td><td>Q</td></tr></table>',
  'a table inside a cell': '<table><tr><td>Note</td><td><table><tr><td>Q</td></tr></table></td></tr></table>',
  'an item of a list': '<p>Your messages:</p><ul><li>Q</li></ul>',
  'a block quotation': '<p>MEERA IYER says</p><blockquote>Q</blockquote>',
  'a definition': '<dl><dt>Note</dt><dd>Q</dd></dl>',
  'text kept as it was typed': '<pre>Message from MEERA\nQ</pre>',
  'a span made a block': '<span style="display:block">New message</span><span style="display:block">Q</span>',
  'a heading': '<h2>New message</h2><h3>Q</h3>',
  'below the answer to a complaint': '<p>We have registered your complaint about this alert.</p><p>Q</p>',
  'a request': '<p>MEERA IYER asks you to pay. Her note:</p><p>Q</p>',
};

/** Here the bank's line begins with the stranger's text, which it then speaks of. */
export const nameFirstCarriers: Readonly<Record<string, string>> = {
  'sent a message': '<p>Q sent you a message.</p>',
  'asks for money': '<p>Q has requested Rs. 1.00 from you.</p>',
  'was paid': '<p>Q, to whom you paid Rs. 1.00, is now a contact.</p>',
  'the next line goes on': '<p>Q<br>sent you a gift.</p>',
  'a cell beside it': '<table><tr><td>Q</td><td>has sent you a message</td></tr></table>',
};

/** Plain text: the words before the stranger's text fill the line, so that a mailer's wrap puts it at a beginning. */
export const wrapWidths = [55, 60, 66, 72, 76, 78, 80];

export function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

/** Words before a quotation, as many as bring it to the beginning of a wrapped line. */
export function wordsUpTo(width: number): string {
  const words =
    'The payer of your last transaction has left a remark for you which we pass on to you as it is and it says';
  const filled = wrapped(words, width).split('\n')[0]!;
  return `${filled}${' and'.repeat(Math.floor((width - filled.length) / 4))}`;
}
