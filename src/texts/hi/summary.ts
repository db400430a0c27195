import type { TextSet } from '../texts.ts';

type Sum = { amount: string; count: number };

const said = ({ amount, count }: Sum) => (count === 0 ? 'कुछ नहीं' : `${amount}, ${count} भुगतान में`);

export const summary: TextSet['summary'] = {
  subject: ({ business, day, amount }) => `${business}: ${amount} मिले, ${day}`,
  day: ({ day, until }) => (until === null ? day : `${day}, ${until} बजे तक`),
  came: sum => `कलेक्शन: ${said(sum)}।`,
  before: sum => `हफ़्ते भर पहले इसी दिन: ${said(sum)}।`,
  late: ({ after, ...sum }) => `पिछले दिन ${after} बजे के बाद: ${said(sum)}।`,
  money: count => `पैसा जिस पर आपका फ़ैसला चाहिए: ${count} भुगतान।`,
  others: count => `${count} और बातों में आपकी ज़रूरत है; मुख्य पेज पर लिखी हैं।`,
  nothing: 'किसी बात में आपकी ज़रूरत नहीं।',
  home: 'आपका दिन',
  choose: 'यह मेल कब आए, या न आए',
};
