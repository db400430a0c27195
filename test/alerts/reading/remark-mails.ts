/**
 * Genuine mails of every wording that prints the payer's remark, as its bank lays them out. `«»` is the remark. All say
 * 500.37 rupees.
 */
export type RemarkMail = {
  readonly bank: string;
  readonly wording: string;
  readonly subject: string;
  readonly text: string;
  readonly reference: string | null;
};

const say = (
  bank: string,
  wording: string,
  subject: string,
  text: string,
  reference: string | null = '615300112233',
): RemarkMail => ({ bank, wording, subject, text, reference });

const axisCard = (channel: string) =>
  `15-11-2026\nDear MEERA IYER,\nHere's the summary of your transaction:\nAmount Credited:\nINR 500.37\nAccount Number:\nXX4321\nDate & Time:\n15-11-26, 17:15:42 IST\nTransaction Info:\n${channel}/P2A/615300112233/MEERA IYE/HDFC/«»\nFeel free to contact us.\nRegards,\nAxis Bank Ltd.`;
const burgundy = (channel: string) =>
  `Dear Customer,\nWe wish to inform you that your A/c no. XX4321 has been credited with INR 500.37 on 15-11-2026 10:00:00 IST by ${channel}/P2A/615300112233/MEERA IYE/HDFC/«»\nThank you for banking with us.`;
const saraswat = (channel: string) =>
  `Dear Customer,\nBelow is a summary of Credit Transaction:\nDate, Time : 15-11-2026 10:22:33\nCredit Account No: XX4321\nAmount: INR 500.37\nParticulars: - ${channel}/615300112233/MEERA IYER/«»\nWe advise that you keep this email for your records.`;
const jana = 'Transaction Alert for your Jana Bank Account';
const sib =
  'INR 500.37 was credited to your SOUTH INDIAN BANK account XXXXX4321 Info - UPI/SBIN/615300112233/';
const sbi = 'Your AC XXXXX004321 Credited INR 500.37 on 15/11/26 -';

export const remarkMails: readonly RemarkMail[] = [
  say('axis', 'card-upi', 'INR 500.37 was credited to your A/c no. XX4321.', axisCard('UPI')),
  say('axis', 'card-imps', 'INR 500.37 was credited to your A/c no. XX4321.', axisCard('IMPS')),
  say('axis', 'burgundy-upi', 'Credit transaction alert for Axis Bank A/c', burgundy('UPI')),
  say('axis', 'burgundy-imps', 'Credit transaction alert for Axis Bank A/c', burgundy('IMPS')),
  say(
    'axis',
    'sentence-2024-upi',
    'Credit notification from Axis Bank',
    'Dear Customer,\nINR 500.37 has been credited to A/c no. XX4321 on 15-11-26. Info- UPI/P2A/615300112233/MEERA IYE/HDFC/«»\nThank you.',
  ),
  say(
    'nkgsb',
    'upi, with balance',
    'NKGSB Bank - Transaction Alert',
    'Dear Sir/ Madam, Received Rs.500.37 in NKGSB Bank A/C X321 on 15-11-26 UPI/CREDIT/615300112233/meera-1@okicici/«».Clr bal Rs.5923.21.',
  ),
  say(
    'nkgsb',
    'upi, without balance',
    'NKGSB Bank - Transaction Alert',
    'Dear Sir/ Madam, Received Rs.500.37 in NKGSB Bank A/C X321 on 15-11-26 UPI/CREDIT/615300112233/meera-1@okicici/«»',
  ),
  say(
    'sbi',
    'cbs-credited, with reference',
    'CBSSBI ALERT',
    `Greetings from SBI ! ${sbi}UPI/CR/615300112233/MEERA IY/HDFC/meera@okh/«». Avl Bal INR 3,10,000.00.-SBI`,
  ),
  say(
    'sbi',
    'cbs-credited, by transfer',
    'CBSSBI ALERT',
    `Dear Customer,\n${sbi}BY TRANSFER-UPI/CR/615300112233/MEERA IY/HDFC/meera@okh/«».-SBI`,
  ),
  say(
    'sbi',
    'cbs-credited, remark alone',
    'CBSSBI ALERT',
    `Dear Customer,\n${sbi}UPI MEERA «». Avl Bal INR 3,10,000.00.-SBI`,
    null,
  ),
  say(
    'indusind',
    'upi',
    'IndusInd Bank Transaction Alert',
    'Dear Customer,\nYour IndusInd Bank Account No. 15XXXXXX4321 has been Credited for INR 500.37 towards UPI/615300112233/CR/MEERA/HDFC/«». The balance available in your Account is INR 2,000.00.',
  ),
  say(
    'jana',
    'upi, with balance',
    jana,
    'Dear Customer,\nYour Jana Bank A/c no. XX4321 is credited with INR 500.37 on 15-NOV-2026.\nInfo: UPI/CR/615300112233/MEERA/«»\nYour account balance is INR 97,720.68.',
  ),
  say(
    'jana',
    'upi, without balance',
    jana,
    'Dear Customer,\nYour Jana Bank A/c no. XX4321 is credited with INR 500.37 on 15-NOV-2026.\nInfo: UPI/CR/615300112233/MEERA/«»',
  ),
  say('south-indian', 'upi', 'Credit Alert From SIB', `Dear Customer,\n${sib}MEERA IYER/«»\nThank you.`),
  say(
    'south-indian',
    'upi, dated',
    'Credit Alert From SIB',
    `Dear Customer,\n${sib}MEERA IYER/«» on 15-11-2026\nThank you.`,
  ),
  say('south-indian', 'upi, no name', 'Credit Alert From SIB', `Dear Customer,\n${sib}«»`),
  say('saraswat', 'upi, no name', 'Saraswat Bank Alert', saraswat('UPI').replace('MEERA IYER/', '')),
  say('saraswat', 'upi', 'Saraswat Bank Alert', saraswat('UPI')),
  say('saraswat', 'imps', 'Saraswat Bank Alert', saraswat('IMPS')),
  say(
    'equitas',
    'upi',
    'UPI Credit Alert',
    'Dear Customer,\nAn amount of INR 500.37 has been credited to your account. UPI REF NO 615300112233 «»\nThank you.',
  ),
  say(
    'kotak',
    'imps',
    'IMPS Credit Transaction',
    'Dear MEERA IYER\nWe wish to inform you that your account xx4321 is credited by Rs. 500.37 on 15-Nov-2026 for IMPS transaction.\nPlease find the details as below:\nSender Name: ASHA RAO\nSender Mobile No: 919XXXX20100\nIMPS Reference No: 615300112233\nRemarks : «»',
  ),
];
