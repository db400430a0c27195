/**
 * What customers write when they pay: sums, marks, other scripts, words that banks use too. Each is a remark of one
 * line, as UPI apps let people type them.
 */
export const everydayRemarks: readonly string[] = [
  ...['lunch', 'Lunch', 'thanks', 'Thank you!', 'rent', 'Rent Nov', 'gift', '(gift)', '"thanks"', "'thanks'"],
  ...['“thanks”', '[gift]', '{gift}', '<3', 'love you <3', ':)', ';-)', '...', '-', '/', '//', '.', 'N', 'n'],
  ...['advance of Rs 500', 'half of Rs 1000', 'out of INR 500', 'Rs.500', 'Rs 500', 'rs500', '₹500', '₹ 500'],
  ...['INR 500', 'INR 500.37', 'Rs. 500.37', '500.37', '500/-', 'Rs.500/-', '1,00,000', '5k', '500 only'],
  ...['for Rs. 1,000.00 bill', 'balance Rs 200', 'Bal Rs.200', 'total 1234.50', 'paid 250 + 250', '50%', '2 x 250'],
  ...['pending', 'Pending amount', 'refund', 'Refund', 'refund of Rs 500', 'UPI', 'upi', 'UPI payment', 'IMPS'],
  ...['credited', 'Credited', 'debited', 'Debited by mistake', 'is credited to your account', 'credit card bill'],
  ...['failed', 'Failed once', 'reversed', 'reversal', 'cash', 'NEFT', 'interest', 'salary', 'EMI', 'loan', 'OTP'],
  ...['payment received', 'sent you money', 'You have received', 'money request', 'collect request', 'autopay'],
  ...['9876543210', '+91 98765 43210', '98765-43210', 'call 9876543210', 'mob:9876543210', '080-12345678'],
  ...['615300112233', 'order 615300112299', 'Order #1234', '#1234', 'ORD-2026-11-0001', 'INV/2026/11/0042'],
  ...['15-11-26', '15/11/2026', '15.11.2026', 'on 15-11-26', '15 Nov 2026', 'Nov 15, 2026', '10:30', '10.30 am'],
  ...['15-11-26, 17:15:42 IST', 'due on 15-11-26', 'A/c 4321', 'XX4321', 'a/c no. XX4321', 'Ref no 123456789'],
  ...['UPI Ref', 'UPI/P2A', 'UPI/CR', 'P2A/lunch', 'a/b/c', 'a\\b', 'a|b', 'milk & bread', 'milk + bread', 'a=b'],
  ...['asha@ybl', 'to asha@ybl', 'shop@okaxis', 'see www.shop.in', 'https://shop.in/o/42', 'shop.in', '@home', 'x@y'],
  ...['🙏', '👍👍', '🎂 cake', 'happy 🎉', '❤️', '👨‍👩‍👧', '🇮🇳', '₹₹₹', '✓', '★ 5', '™', '…', '—', '·', '•', '№ 5'],
  ...['धन्यवाद', 'किराया', 'दूध का पैसा', 'नमस्ते', 'नमस्ते भाई', 'नमस्ते, धन्यवाद', 'प्रिय मित्र', 'राम राम जी', '५०० रुपये', 'श्री'],
  ...['நன்றி', 'வாடகை', 'பால் காசு', 'வணக்கம் அண்ணா', 'ಧನ್ಯವಾದ', 'ధన్యవాదాలు', 'നന്ദി', 'ধন্যবাদ', 'આભાર', 'ਧੰਨਵਾਦ'],
  ...['شکریہ', 'کرایہ نومبر', 'ఇంటి అద్దె', 'চা', 'Café', 'naïve', 'Ñ', 'Ünal', '谢谢', 'ありがとう', 'ﬁne', '½', 'x²'],
  ...['Hi', 'Hello,', 'Hi Asha,', 'Dear sir,', 'Dear Customer,', 'Namaste ji,', 'Hey! thanks', 'Good morning!'],
  ...['Thank you for banking with us.', 'Regards, Asha', 'Greetings!', 'a very long remark for milk, eggs and bread ok'],
  ...['From Asha', 'From: Asha', 'Remarks: none', 'Note: none', 'Info: lunch', 'Name: Asha', 'Amount: 500', 'Date: today'],
  ...['No 5, 2nd Cross', 'Flat 4B', 'table 7', 'T-shirt (XL)', 'size: 42', 'to', 'and', 'on time', 'by hand', 'for mom'],
  ...['Avl', 'Bal', 'SBI', '-SBI', 'Clr', 'N.Clr', 'NA', 'null', 'undefined', 'true', '0', '1', 'a', 'Z', 'OK.', 'ok. bye'],
  ...['Paid via CRED', 'Sent using Paytm', 'Payment from PhonePe', 'Pay to BharatPe Merchant', 'UPI-Collect', 'Sent from Pay'],
  ...['A'.repeat(50), 'x '.repeat(25).trim(), '1'.repeat(50), 'भ'.repeat(50), 'Wish you a very happy birthday from all of us, Asha'],
];
