import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type Alert,
  type Build,
  bankMail,
  everyAlert,
  hdfc,
  judgeBankMail,
  kotak,
  slice,
} from '../support/bank-mail.ts';

async function isNoCredit(alert: Alert, build: Build, what: string) {
  const judgement = await judgeBankMail(bankMail(alert, build));
  assert.notEqual(judgement.verdict, 'credit', `${alert.bank}, ${what}`);
}

const page = (text: string) => `<html><body><p>${text}</p></body></html>`;

test('a statement that the money went back, or never came, outweighs the credit before it', async () => {
  for (const after of [
    '. This transaction has been reversed.',
    ' and has since been reversed.',
    '. The amount has been put on hold.',
    '. The above amount has been debited from your account.',
    '. The transaction failed.',
    '. This credit will be reversed shortly.',
    '. The payment could not be processed.',
    ' for reversal of UPI transaction 615300112234.',
    ' towards refund of a failed transaction.',
    ' - REVERSED',
    '. Status: Reversed',
    ' has requested Rs.1.00 from you.',
    ' Ok Ltd has requested Rs.1.00 from you.',
    ' requests Rs.1.00 from you.',
    ' has been paid Rs.1.00 from your account.',
  ])
    for (const alert of [hdfc, kotak, slice].map(withoutTail))
      await isNoCredit(alert, { html: page(alert.text + after) }, after);
});

/** What the bank says of this payment or of this mail, behind the statement, in a sentence of its own or going on. */
const takenBack = [
  ' - pending',
  ' (cancelled)',
  ' FAILED',
  ' on hold.',
  ' is declined.',
  ' but it has not been received.',
  '. Pending.',
  '. Transaction cancelled.',
  '. Declined.',
  '. Scheduled.',
  '. Failed.',
  '. On hold.',
  '. Txn Status : Cancelled.',
  '. This transaction is pending.',
  '. The credit is pending confirmation.',
  '. This payment has been cancelled.',
  '. Please ignore this mail.',
  `. ${'Thank you for banking with us. '.repeat(12)}This transaction is pending.`,
  `. ${'Thank you for banking with us. '.repeat(12)}Kindly ignore the above.`,
  '. Kindly disregard this alert.',
  '. This mail was sent in error.',
  '. We regret that this alert was sent by mistake.',
  '. This is a reversal.',
  '. This is a collect request.',
  '. The amount will be credited on 05-12-26.',
  '. It will be credited shortly.',
  '. This transfer is scheduled for 05-12-26.',
  '. It is only initiated.',
  '. The transaction was not completed.',
  '. The amount has not been credited.',
  '. However, the amount was returned to the sender.',
  '. लेनदेन विफल।',
  '. यह लेनदेन विफल रहा।',
  '. भुगतान लंबित है।',
  '. यह लेनदेन रद्द किया गया है।',
  '. असफल।',
  '. यह राशि वापस कर दी गई है।',
  '. This payment is yet to be settled.',
  '. The payment got declined.',
  '. Amount not credited due to a technical issue.',
  '. We could not credit the amount.',
  '. The transaction is under dispute.',
  '. Settlement is awaited.',
  '. The transaction has been rolled back.',
  '. This payment is blocked.',
  '. You will get the money by tomorrow.',
  '. Do not act on this alert.',
  '. A chargeback has been raised for this transaction.',
  '. The remitter has raised a chargeback on this payment.',
  '. The credit has been withdrawn.',
  '. We have reversed this credit.',
  '. We have since debited this amount from your account.',
  '. A lien has been marked on this amount.',
  '. The funds are frozen.',
  '. The transaction has timed out.',
  '. This mandate will be executed on 05-06-26.',
  '. The payer has not yet approved this request.',
  '. Accept the request to receive the money.',
  '. This is a test.',
  '. For demonstration only.',
  '. No money has been credited.',
  '. Please disregard our previous mail.',
  '. Kindly treat this mail as cancelled.',
  '. The correct amount is Rs.5.00.',
  '. Correction: amount Rs.5.00.',
  '. Please read the amount as Rs. 5.00.',
  '. This credit belongs to another customer.',
  '. This credit was made to your account wrongly.',
  '. The amount has been recovered from your account.',
  '. Returned to remitter.',
  ', since reversed',
  ' (since reversed)',
  ', which failed.',
  ' but later reversed.',
  ' and then debited.',
  ' was not successful.',
  ' is being processed.',
  ' will be credited by 05-06-26.',
  ' is yet to be credited.',
  '. This payment is under review.',
  '. Your transaction is in progress.',
  '. Processing.',
  '. Awaiting confirmation.',
  '. Not credited.',
  '. Null and void.',
  '. Chargeback.',
  '. राशि आपके खाते में जमा नहीं हुई है।',
  '. राशि लौटा दी गई।',
  '. भुगतान प्रक्रियाधीन है।',
];

test('a credit that its own mail calls pending, cancelled, failed, wrong or yet to come is no credit', async () => {
  for (const after of takenBack)
    for (const alert of [hdfc, kotak, slice].map(withoutTail))
      await isNoCredit(alert, { html: page(`${alert.text}${after} Thank you for banking with us.`) }, after);
});

test('a credit that is announced as pending, cancelled, failed, wrong or yet to come is no credit', async () => {
  for (const before of [
    'Your payment could not be processed:',
    'The following credit is on hold:',
    'You have a collect request.',
    'A transfer has been initiated:',
    'Upcoming credit:',
    'Pending:',
    'Cancelled:',
    'This transaction was cancelled.',
    'Please ignore this mail.',
    'Sent in error:',
    'The alert below was sent by mistake.',
    'This is a reversal.',
    'Declined:',
    'The following amount will be credited:',
    'Scheduled for 05-12-26:',
    'Failed.',
    'Your account was NOT credited:',
    'We were unable to credit your account.',
    'Subject to clearance:',
    'Once the payer approves, you will read:',
    'Test mail:',
    'यह लेनदेन विफल रहा।',
    'लंबित:',
    'लेनदेन रद्द किया गया।',
    'असफल:',
    'कृपया इस मेल पर ध्यान न दें।',
    'You will soon receive',
    'You are about to receive',
    'Future dated credit:',
    'Forthcoming credit:',
    'Standing instruction:',
    'Request raised:',
    'You asked MEERA IYER to pay:',
    'MEERA IYER wants to send you money.',
    'Accept this payment:',
    'Claim your money:',
    'Demo:',
    'Example:',
    'Preview of your alert:',
    'This is how alerts look:',
    'Duplicate alert:',
    'Last year on this day:',
    'Under review:',
    'Frozen:',
    'Debit alert:',
    'You sent:',
    'Outgoing payment:',
    'Your payment to MEERA IYER:',
    'Hi your money is pending,',
    'नमूना:',
  ])
    for (const alert of everyAlert) {
      await isNoCredit(alert, { html: page(`${before} ${alert.text}`) }, before);
      await isNoCredit(alert, { html: page(`Dear Customer, ${before} ${alert.text}`) }, before);
    }
});

test('a subject that takes the credit back outweighs it where any subject is read', async () => {
  for (const subject of ['Upcoming payment', 'Payment failed', 'Collect request', 'लेनदेन विफल'])
    await isNoCredit(slice, { subject }, subject);
});

/** Up to the reference, so that what is added goes on with the same sentence. */
function withoutTail(alert: Alert): Alert {
  return { ...alert, text: alert.text.slice(0, alert.text.indexOf('615300112233') + 12) };
}

test('a credit that another mail of the bank quotes is no credit', async () => {
  for (const before of [
    'A dispute has been raised about this transaction.',
    'We have registered your complaint about:',
    'Here are your transactions for May:',
    'You have received a message from',
    'You have received a payment from',
    'Money received. Sender:',
    'Rs.20.00 was credited.',
    '---------- Forwarded message ----------',
    'On Mon, HDFC Bank wrote:',
    'This is how your alert will look like:',
    'Sample alert:',
  ])
    for (const alert of everyAlert)
      await isNoCredit(alert, { html: page(`${before} ${alert.text}`) }, before);
});

test('struck, turned and superscript text says something else than its letters', async () => {
  for (const [open, close] of [
    ['<del>', '</del>'],
    ['<s>', '</s>'],
    ['<strike>', '</strike>'],
    ['<span style="text-decoration: line-through">', '</span>'],
    ['<bdo dir="rtl">', '</bdo>'],
    ['<span style="unicode-bidi:bidi-override;direction:rtl">', '</span>'],
    ['<div style="width:0;overflow:hidden">', '</div>'],
  ]) {
    await isNoCredit(hdfc, { html: page(`${open}${hdfc.text}${close}`) }, open!);
    await isNoCredit(hdfc, { html: page(hdfc.text.replace('500.37', `${open}500.37${close}`)) }, open!);
  }
  for (const amount of ['500<sup>37</sup>', '5<sub>00</sub>.37', '500,37', '1,00,00'])
    await isNoCredit(hdfc, { html: page(hdfc.text.replace('500.37', amount)) }, amount);
  const cheaper = await judgeBankMail(
    bankMail(hdfc, { html: page(hdfc.text.replace('500.37', '<del>500.37</del>1.00')) }),
  );
  assert.equal(cheaper.facts?.amount, 100);
});

test('a subject that names another sum than the text is not overlooked where any subject is read', async () => {
  await isNoCredit(slice, { subject: 'Received ₹1 via UPI' }, 'another sum');
});

test('an address hidden in the name of another is not the one addressed', async () => {
  for (const to of [
    'merchant@shop.in <a@evil.in>',
    "'merchant@shop.in' <a@evil.in>",
    "merchant@shop.in' <merchant@shop.in>",
  ])
    await isNoCredit(hdfc, { to }, to);
});

test('plain and HTML text of different money stay refused, however the plain one is laid out', async () => {
  for (const plain of [
    hdfc.text.replace('500.37', '1.00'),
    `*${hdfc.text.replace('500.37', '1.00')}* ref 615300112233`,
    `Rs.500.37 credited * ref 615300112299`,
    `${hdfc.text}. This transaction has been reversed.`,
    'Rs.500.37 is debited from your account. Ref 615300112233',
    `${hdfc.text.replace('500.37', '*500.37*')}. This transaction has been reversed.`,
    `${hdfc.text.replace('500.37', '*500.37*')} - pending`,
    'Your payment has failed.',
    'This transaction is pending.',
  ])
    await isNoCredit(hdfc, { plain }, plain);
});
