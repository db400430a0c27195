import type { TextSet } from '../texts.ts';

export const summary: TextSet['summary'] = {
  subject: '{business}: {amount} मिले, {day}',
  dayUntil: '{day}, {until} बजे तक',
  sum: { zero: 'कुछ नहीं', other: '{amount}, {count} भुगतान में' },
  came: 'कलेक्शन: {sum}।',
  before: 'हफ़्ते भर पहले इसी दिन: {sum}।',
  late: 'पिछले दिन {after} बजे के बाद: {sum}।',
  money: 'पैसा जिस पर आपका फ़ैसला चाहिए: {count} भुगतान।',
  others: '{count} और बातों में आपकी ज़रूरत है; मुख्य पेज पर लिखी हैं।',
  nothing: 'किसी बात में आपकी ज़रूरत नहीं।',
  home: 'आपका दिन',
  choose: 'यह मेल कब आए, या न आए',
};
